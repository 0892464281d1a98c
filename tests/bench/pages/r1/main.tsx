import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { wrap } from 'comlink'
import { List } from '../list.tsx'
import type { Shown } from '../row.ts'
import type { Rows } from './worker.ts'

/** R1: the usual way. React queries RxDB on Dexie in a worker for the newest listings. */
const rows = wrap<Rows>(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }))

function App() {
  const [first, setFirst] = useState<readonly Shown[]>([])
  useEffect(() => {
    void rows.first().then(async (found) => {
      if (found.length > 0) return setFirst(found)
      await rows.fill()
      await navigator.serviceWorker.register('../sw.js')
      await navigator.serviceWorker.ready
      document.title = 'filled'
    })
  }, [])
  return first.length > 0 ? <List rows={first} /> : null
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
