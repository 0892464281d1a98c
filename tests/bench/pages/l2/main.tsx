import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { List } from '../list.tsx'
import { FIRST, type Row } from '../row.ts'

function App() {
  const [rows, setRows] = useState<readonly Row[]>([])
  useEffect(() => {
    void fetch(`/api/listings/?page_size=${FIRST}`)
      .then((answer) => answer.json() as Promise<{ results: readonly Row[] }>)
      .then((page) => setRows(page.results))
  }, [])
  return rows.length > 0 ? <List rows={rows} /> : null
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
