import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import { ask } from '../data/ask.ts'
import { Choice } from '../ui/Field.tsx'

/** Bytes; below this a Wi-Fi choice is not worth offering. */
const HEAVY = 20_000

/** The tap shows at once, before the engine confirms. */
export function WifiChoice({
  entry: { id, bytes, state, wifiOnly },
}: {
  entry: Pick<Entry, 'id' | 'bytes' | 'state' | 'wifiOnly'>
}) {
  const { t } = useLingui()
  const [wish, setWish] = useState<boolean | null>(null)
  if (wish === wifiOnly) setWish(null)
  if (bytes < HEAVY || state === 'sending') return null

  async function choose(wanted: boolean): Promise<void> {
    setWish(wanted)
    const outcome = await ask('outbox.wifi', { id, wifiOnly: wanted })
    if (outcome.kind !== 'done') setWish(null)
  }

  return (
    <Choice
      label={t`Attendre le Wi-Fi pour envoyer`}
      checked={wish ?? wifiOnly}
      onChange={({ target }) => void choose(target.checked)}
    />
  )
}
