import { useLiveQuery } from '../../data/read.ts'
import { useCost } from '../../locales/cost.ts'
import { whyWaiting } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { WifiChoice } from '../../parts/WifiChoice.tsx'
import css from './OwnCard.module.css'

export function Unsent({ draft }: { draft: string }) {
  const say = useSay()
  const cost = useCost()
  const entry = useLiveQuery('outbox.entries', {}).rows.find(
    ({ id, state }) =>
      id === draft && (state === 'waiting' || state === 'sending' || state === 'signed-out'),
  )
  if (!entry) return null
  return (
    <>
      <p className={css.numbers}>
        <span>{cost(entry.bytes)}</span>
        <span>{say(whyWaiting(entry))}</span>
      </p>
      <WifiChoice entry={entry} />
    </>
  )
}
