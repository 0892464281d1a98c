import { useLingui } from '@lingui/react/macro'
import type { Entry } from '#schema/disk/entry'
import { ask } from '../data/ask.ts'
import { Choice } from '../ui/Field.tsx'

/** Below this nobody counts bytes. */
const HEAVY = 20_000

/** "Attendre le Wi-Fi" for what already waits and is worth it, photos above all. */
export function WifiChoice({ entry: { id, bytes, state, wifiOnly } }: { entry: Pick<Entry, 'id' | 'bytes' | 'state' | 'wifiOnly'> }) {
  const { t } = useLingui()
  if (bytes < HEAVY || state === 'sending') return null
  return <Choice label={t`Attendre le Wi-Fi pour envoyer`} checked={wifiOnly} onChange={({ target }) => void ask('outbox.wifi', { id, wifiOnly: target.checked })} />
}
