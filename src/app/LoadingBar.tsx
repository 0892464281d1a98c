import { useLiveQuery } from '../data/read.ts'
import css from './LoadingBar.module.css'

/** [S2.29]: visible during requests, hidden 200 ms after the last. */
export function LoadingBar() {
  const { facts } = useLiveQuery('network.state', {})
  const busy = (facts?.busy ?? 0) > 0
  return (
    <div aria-hidden="true" data-loading-bar="" data-busy={busy || undefined} className={css.bar} />
  )
}
