import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, MessagesSquare, Send, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLiveQuery } from '../../data/read.ts'
import { send } from '../../data/ask.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/Page.tsx'
import { Button, ButtonLink, type Icon } from '../../ui/Button.tsx'
import css from './Attention.module.css'
import { type AttentionItem, attentionItemsOf } from './attentionItems.ts'
import { RENEW_DAYS } from './RenewDialog.tsx'
import { Totals } from './Totals.tsx'
import { conversations } from '../../parts/links.ts'

const SHOWN = 4

/** [S2.39] */
export function Attention() {
  const { t } = useLingui()
  const now = useNow()
  const { rows, facts } = useLiveQuery('listings.mine', { status: 'all' })
  const outbox = useLiveQuery('outbox.entries', {}).facts
  const unread = useLiveQuery('account.me', {}).facts?.unreadMessages ?? 0
  const items = attentionItemsOf(rows, now)
  const waiting = outbox === null ? 0 : outbox.waiting + outbox.sending + outbox.signedOut
  const parked = outbox?.refused ?? 0
  const nothing = items.length + waiting + parked + unread === 0
  return (
    <Section title={t`Aperçu`}>
      <Totals totals={facts?.totals ?? null} />
      {nothing && (
        <p className={css.done}>
          {facts === null ? (
            '\u00A0'
          ) : (
            <>
              <CircleCheck />
              {t`Tout est à jour.`}
            </>
          )}
        </p>
      )}
      {!nothing && (
        <ul className="card ruled" aria-label={t`À voir`}>
          {parked > 0 && (
            <Row
              icon={TriangleAlert}
              bad
              text={
                <Plural
                  value={parked}
                  one="# envoi n’a pas été accepté"
                  other="# envois n’ont pas été acceptés"
                />
              }
            >
              <ButtonLink to="/outbox">{t`Voir`}</ButtonLink>
            </Row>
          )}
          {items.slice(0, SHOWN).map((one) => (
            <ItemRow key={one.id} item={one} />
          ))}
          {items.length > SHOWN && (
            <Row
              icon={TriangleAlert}
              text={
                <Plural
                  value={items.length - SHOWN}
                  one="et # autre annonce"
                  other="et # autres annonces"
                />
              }
            >
              <ButtonLink to="." search={{ tab: 'listings' }}>
                {t`Mes annonces`}
              </ButtonLink>
            </Row>
          )}
          {unread > 0 && (
            <Row
              icon={MessagesSquare}
              text={<Plural value={unread} one="# message non lu" other="# messages non lus" />}
            >
              <ButtonLink {...conversations}>{t`Lire`}</ButtonLink>
            </Row>
          )}
          {waiting > 0 && (
            <Row
              icon={Send}
              text={
                <Plural
                  value={waiting}
                  one="# envoi attend le réseau"
                  other="# envois attendent le réseau"
                />
              }
            >
              <ButtonLink to="/outbox">{t`Voir`}</ButtonLink>
            </Row>
          )}
        </ul>
      )}
    </Section>
  )
}

function ItemRow({ item: { id, title, why, days } }: { item: AttentionItem }) {
  const { t } = useLingui()
  const name = <bdi className={css.name}>{title}</bdi>
  const text =
    why === 'rejected' ? (
      <Trans>{name} : refusée</Trans>
    ) : why === 'expired' ? (
      <Trans>{name} : expirée</Trans>
    ) : (
      <>
        {name}{' '}
        <Plural
          value={days}
          _0="expire aujourd’hui"
          one="expire dans # jour"
          other="expire dans # jours"
        />
      </>
    )
  return (
    <Row icon={TriangleAlert} bad={why === 'rejected'} text={text}>
      {why === 'rejected' ? (
        <ButtonLink to="/create-listing" search={{ listing: id }}>
          {t`Corriger`}
        </ButtonLink>
      ) : (
        <Button onClick={() => void send('listing.reactivate', { listing: id, days: RENEW_DAYS })}>
          {t`Prolonger`}
        </Button>
      )}
    </Row>
  )
}

function Row({
  icon: Sign,
  bad = false,
  text,
  children,
}: {
  icon: Icon
  bad?: boolean
  text: ReactNode
  children: ReactNode
}) {
  return (
    <li className={css.row}>
      <Sign className={bad ? css.bad : css.sign} />
      <span className={css.text}>{text}</span>
      {children}
    </li>
  )
}
