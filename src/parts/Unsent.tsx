import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import { ask } from '../data/ask.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Choice } from '../ui/Field.tsx'

const HEAVY = 20_000

/** The tap shows before the engine confirms it. */
export function WifiChoice({
  entry: { id, bytes, state, wifiOnly },
}: {
  entry: Pick<Entry, 'id' | 'bytes' | 'state' | 'wifiOnly'>
}) {
  const { t } = useLingui()
  const [picked, setPicked] = useState<boolean | null>(null)
  if (picked === wifiOnly) setPicked(null)
  if (bytes < HEAVY || state === 'sending') return null

  async function choose(wanted: boolean) {
    setPicked(wanted)
    const outcome = await ask('outbox.wifi', { id, wifiOnly: wanted })
    if (outcome.kind !== 'done') setPicked(null)
  }

  return (
    <Choice
      label={t`Attendre le Wi-Fi pour envoyer`}
      checked={picked ?? wifiOnly}
      onChecked={(checked) => void choose(checked)}
    />
  )
}

export function CorrectLink({ entry: { id, name, payload, problem } }: { entry: Entry }) {
  const { t } = useLingui()
  const { listing } = payload
  if (name !== 'listing.publish' && name !== 'listing.edit') return null
  return (
    <ButtonLink
      to="/create-listing"
      search={
        name === 'listing.publish'
          ? { draft: id, step: 'review' }
          : typeof listing === 'string'
            ? { listing }
            : {}
      }
    >
      {name === 'listing.edit' && problem?.code === 'edit_conflict' ? t`Choisir` : t`Corriger`}
    </ButtonLink>
  )
}
