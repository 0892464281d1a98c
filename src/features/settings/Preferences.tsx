import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Preferences as Values, SomePreferences } from '#schema/wire/notification'
import { refresh, send } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { queuedOrToast } from '../../parts/queuedOrToast.ts'
import { Button } from '../../ui/Button.tsx'
import { Group, Switch, TextField } from '../../ui/Field.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './settings.module.css'

type Kind = 'messages' | 'announcements' | 'system'
type Channel = keyof Values[Kind]

/** [S2.44, S3.15] */
export function Preferences() {
  const { t } = useLingui()
  const { facts, status } = useLiveQuery('account.preferences', {})
  const values = facts?.preferences ?? null

  const change = (part: SomePreferences) => void queuedOrToast(send('preferences.change', part))

  if (values === null) {
    if (status === 'loading') return <Skeleton shape="block" />
    return (
      <div className="stack">
        <p>{t`Vos préférences ne sont pas encore sur ce téléphone.`}</p>
        <Button onClick={() => refresh('account.preferences', {})}>{t`Réessayer`}</Button>
      </div>
    )
  }

  const kinds: readonly (readonly [Kind, string])[] = [
    ['messages', t`Messages`],
    ['announcements', t`Nouveautés et recherches enregistrées`],
    ['system', t`Mes annonces et mon compte`],
  ]
  const channels: readonly (readonly [Channel, string])[] = [
    ['in_app', t`Dans l’application`],
    ['push', t`Sur le téléphone`],
    ['email', t`Par e-mail`],
  ]
  return (
    <>
      {kinds.map(([kind, title]) => (
        <Group key={kind} legend={title}>
          {channels.map(([channel, words]) => (
            <Switch
              key={channel}
              label={words}
              checked={values[kind][channel]}
              onChecked={(checked) => change({ [kind]: { [channel]: checked } })}
            />
          ))}
        </Group>
      ))}
      <QuietHours hours={values.quiet_hours} onChange={change} />
    </>
  )
}

function QuietHours({
  hours,
  onChange,
}: {
  hours: Values['quiet_hours']
  onChange: (part: SomePreferences) => void
}) {
  const { t } = useLingui()
  const [wrong, setWrong] = useState<string>()
  const set = (end: 'start' | 'end') => (value: string) => {
    if (!/^\d\d:\d\d$/u.test(value)) return
    if (value === (end === 'start' ? hours.end : hours.start))
      return setWrong(t`Les heures doivent être différentes.`)
    setWrong(undefined)
    onChange({ quiet_hours: { [end]: value } })
  }
  return (
    <Group legend={t`Heures calmes`}>
      <Switch
        label={t`Ne pas sonner la nuit`}
        hint={t`Les notifications restent dans l’application, sans bruit.`}
        checked={hours.enabled}
        onChecked={(enabled) => onChange({ quiet_hours: { enabled } })}
      />
      {hours.enabled && (
        <div className={css.pair}>
          <TextField
            label={t`De`}
            type="time"
            value={hours.start}
            onValue={set('start')}
            error={wrong}
          />
          <TextField label={t`À`} type="time" value={hours.end} onValue={set('end')} />
        </div>
      )}
    </Group>
  )
}
