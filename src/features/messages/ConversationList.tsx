import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import empty from 'virtual:texts/empty_states'
import { DAY_MS } from '#schema/limits'
import type { ConversationRow } from '#schema/port/question'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { DeliveryMark } from '../../parts/DeliveryMark.tsx'
import NoMessages from '../../parts/drawings/noMessages.svg?react'
import { useListKeys } from '../../parts/listKeys.ts'
import { useNow } from '../../parts/now.ts'
import { useNameOf } from '../../parts/person.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './ConversationList.module.css'
import { peerOf } from './peer.ts'
import { SmallCover } from './ListingStrip.tsx'

/** Search matches names and titles locally [API 11.2]. */
export function ConversationList({ me, chosen }: { me: string; chosen: string | null }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const [wanted, setWanted] = useState('')
  const search = useDeferredValue(wanted.trim())
  const { rows, status, since } = useLiveQuery('conversations.list', { search })
  useListKeys()

  return (
    <div className={css.pane}>
      <h1>{t`Messages`}</h1>
      {(rows.length > 0 || wanted !== '') && (
        <div className={css.search}>
          <Search />
          <input
            type="search"
            aria-label={t`Rechercher une conversation`}
            placeholder={t`Rechercher une conversation`}
            enterKeyHint="search"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
      )}
      {rows.length > 0 ? (
        <ul className={css.list}>
          {rows.map((conversation) => (
            <Row
              key={conversation.id}
              conversation={conversation}
              me={me}
              chosen={conversation.id === chosen}
            />
          ))}
        </ul>
      ) : status === 'loading' ? (
        <Loading />
      ) : search !== '' ? (
        <p role="status">{t`Aucune conversation ne correspond.`}</p>
      ) : status === 'offline' || since === null ? (
        <Empty
          drawing={<NoMessages />}
          text={
            <Trans>
              Vos conversations ne sont pas encore sur ce téléphone. Elles viendront avec le réseau.
            </Trans>
          }
          onRetry={() => refresh('conversations.list', { search: '' })}
        />
      ) : (
        <Empty
          drawing={<NoMessages />}
          text={translate(empty.messages_none)}
          action={
            <ButtonLink kind="main" to="/listings">
              {t`Voir les annonces`}
            </ButtonLink>
          }
        />
      )}
    </div>
  )
}

export function ConversationsComing() {
  const { t } = useLingui()
  return (
    <div className={css.pane}>
      <h1>{t`Messages`}</h1>
      <Loading />
    </div>
  )
}

function Row({
  conversation,
  me,
  chosen,
}: {
  conversation: ConversationRow
  me: string
  chosen: boolean
}) {
  const { t } = useLingui()
  const { time, day, dayShort } = useFormat()
  const now = useNow()
  const { listing, last_message: last, unread_count: unread } = conversation
  const peer = peerOf(conversation.participants, me)
  const name = useNameOf()(peer)
  const when = (ms: number) =>
    day(ms) === day(now) ? time(ms) : day(ms) === day(now - DAY_MS) ? t`Hier` : dayShort(ms, now)
  return (
    <li>
      <Link
        to="/messages/{-$conversationId}"
        params={{ conversationId: conversation.id }}
        className={css.row}
        data-conversation={conversation.id}
        data-unread={unread > 0 ? '' : undefined}
        aria-current={chosen ? 'page' : undefined}
      >
        {/* [S13.36]. */}
        <span className={css.photo}>
          <SmallCover image={listing.image} size={56} className={css.cover} />
          <span className={css.face}>
            <Avatar src={peer?.avatar ?? null} name={name} size="s" />
          </span>
        </span>
        <span className={css.text}>
          <span className={css.top}>
            <span dir="auto" className={css.name}>
              {name}
            </span>
            {last && (
              <time dateTime={last.created_at} className={css.when}>
                {when(Date.parse(last.created_at))}
              </time>
            )}
          </span>
          <span dir="auto" className="quiet ellipsis">
            {listing.title}
          </span>
          <span className={css.top}>
            <span className={css.last}>
              {last?.sender_id === me && (
                <DeliveryMark
                  state={
                    conversation.unsent ??
                    (last.seq <= conversation.peer_read_until ? 'read' : 'sent')
                  }
                />
              )}
              <span dir="auto" className="ellipsis">
                {last === null ? '' : last.content === '' ? t`Photo` : last.content}
              </span>
            </span>
            <Badge count={unread} label={t`non lus`} one={t`non lu`} />
          </span>
        </span>
      </Link>
    </li>
  )
}

function Loading() {
  return (
    <div aria-hidden="true" className={css.list}>
      {[1, 2, 3, 4].map((row) => (
        <div key={row} className={css.row}>
          <Skeleton shape="square" />
          <div className={css.text}>
            <Skeleton shape="title" />
            <Skeleton />
          </div>
        </div>
      ))}
    </div>
  )
}
