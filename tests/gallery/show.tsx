import '../../src/ui/tokens.css'
import '../../src/ui/base.css'
import { createMemoryHistory } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { App, makeRouter } from '../../src/app/router.tsx'
import { startLanguage } from '../../src/locales/i18n.ts'
import { perform } from './acts.ts'
import type { State } from './states.ts'

export async function show({ path, acts = [] }: State): Promise<void> {
  const place = document.getElementById('root')
  if (place === null) throw new Error('no #root in the page')
  await startLanguage()
  if (path === null) {
    const { Parts } = await import('./Parts.tsx')
    createRoot(place).render(<Parts />)
    return
  }
  const router = makeRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  createRoot(place).render(<App router={router} />)
  await perform(acts)
}
