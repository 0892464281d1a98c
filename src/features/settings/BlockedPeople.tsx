import { useLingui } from '@lingui/react/macro'
import empty from 'virtual:texts/empty_states'
import { useLiveQuery } from '../../data/read.ts'
import { send } from '../../data/ask.ts'
import { useTranslate } from '../../locales/format.ts'
import { Section } from '../../parts/Page.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import css from './settings.module.css'

/** [F07]. */
export function BlockedPeople() {
  const { t } = useLingui()
  const translate = useTranslate()
  const { rows, facts } = useLiveQuery('account.blocked', {})
  return (
    <Section title={t`Personnes bloquées`}>
      {facts !== null && rows.length === 0 && (
        <p className={css.quiet}>{translate(empty.blocked_none)}</p>
      )}
      <ul>
        {rows.map((person) => {
          const name = person.shop_name ?? person.username
          return (
            <li key={person.id} className="line">
              <Avatar src={person.avatar} name={name} size="s" />
              <bdi className="grow">{name}</bdi>
              <Button
                kind="quiet"
                aria-label={t`Débloquer ${name}`}
                onClick={() => void send('user.block', { user: person.id, blocked: false })}
              >
                {t`Débloquer`}
              </Button>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
