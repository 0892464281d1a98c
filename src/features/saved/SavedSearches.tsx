import { useLingui } from '@lingui/react/macro'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { commands } from '#schema/port/command'
import { isAccepted } from '#schema/port/outcome'
import { useLiveQuery } from '../../data/read.ts'
import { send } from '../../data/send.ts'
import { Section } from '../../parts/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { isShown } from '../outbox/describeEntry.ts'
import css from './SavedSearches.module.css'

/** [S3.16]: saved searches, unsent ones first; a tap runs the search. */
export function SavedSearches() {
  const { t } = useLingui()
  const { rows } = useLiveQuery('searches.saved', {})
  const entries = useLiveQuery('outbox.entries', {}).rows
  const [gone, setGone] = useState<readonly string[]>([])
  const waiting = entries.flatMap((entry) => {
    const command = v.safeParse(commands['search.save'], entry.payload)
    return entry.name === 'search.save' &&
      entry.state !== 'refused' &&
      isShown(entry) &&
      command.success
      ? [{ id: entry.id, ...command.output }]
      : []
  })
  const leaving = entries.flatMap(({ name, payload }) => {
    const command = v.safeParse(commands['search.remove'], payload)
    return name === 'search.remove' && command.success ? [command.output.id] : []
  })
  const { search: wanted } = useSearch({ strict: false })
  const opened = rows.find(({ id }) => id === wanted)
  const kept = rows.filter(({ id }) => !gone.includes(id) && !leaving.includes(id))
  if (opened) return <Navigate to="/listings" search={textsOf(opened.params)} replace />
  if (waiting.length + kept.length === 0) return null

  async function remove(id: string): Promise<void> {
    const sent = await send('search.remove', { id })
    if (isAccepted(sent)) setGone([...gone, id])
  }

  return (
    <Section id="searches" title={t`Recherches enregistrées`}>
      <ul className="ruled">
        {waiting.map(({ id, name, params }) => (
          <li key={id} className={css.row}>
            <To name={name} params={params} />
            <span className={css.waits}>{t`En attente d’envoi`}</span>
          </li>
        ))}
        {kept.map(({ id, name, params }) => (
          <li key={id} className={css.row}>
            <To name={name} params={params} />
            <Button
              kind="quiet"
              aria-label={t`Supprimer la recherche ${name}`}
              onClick={() => void remove(id)}
            >
              {t`Supprimer`}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Filters = Readonly<Record<string, string | number | boolean>>

const textsOf = (params: Filters) =>
  Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]))

function To({ name, params }: { name: string; params: Filters }) {
  return (
    <Link to="/listings" search={textsOf(params)} dir="auto" className={css.name}>
      {name}
    </Link>
  )
}
