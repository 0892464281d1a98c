import { Plural, Trans, useLingui } from '@lingui/react/macro'
import ArrowDown from 'lucide-react/icons/arrow-down'
import { type ReactNode, useRef, useState } from 'react'
import type { MessageDocument } from '#schema/disk/documents'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Bubble } from './Bubble.tsx'
import css from './Thread.module.css'
import { useScamJudge, warningsOf } from './scam.ts'
import { newestSeq, stateOf, threadRows, type Unread } from './thread.ts'
import { useSeen } from './useSeen.ts'
import { useThread } from './useThread.ts'

interface Props {
  conversation: string
  me: string
  readUntil: number
  unread: Unread | null
  onReport: () => void
  head: ReactNode
  empty: ReactNode
  typing: string | null
}

const NEAR_END = 64
const NEAR_START = 600

/** column-reverse scrolls from the bottom: older rows inserted above never move the view. */
export function Thread({
  conversation,
  me,
  readUntil,
  unread,
  onReport,
  head,
  empty,
  typing,
}: Props) {
  const { t } = useLingui()
  const { messages, facts, status, older, more } = useThread(conversation)
  const entries = useLiveQuery('outbox.entries', {}).rows
  const judge = useScamJudge()
  const { dayLong } = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const [left, setLeft] = useState<number | null>(null)

  const theirs = messages.filter((message) => message.sender_id !== me)
  const warnings = judge ? warningsOf(theirs, judge) : null
  const fresh = left === null ? 0 : theirs.filter((message) => message.seq > left).length
  const gapBefore = facts?.gapBefore ?? null
  // Ouagadougou is at UTC all year, so the UTC date is the local day.
  const rows = threadRows(messages, {
    gapBefore,
    me,
    unread,
    dayOf: (moment) => moment.slice(0, 10),
  })

  useSeen(scroller, conversation, readUntil, newestSeq(theirs))

  function scrolled(): void {
    const element = scroller.current
    if (!element) return
    const below = Math.abs(element.scrollTop)
    if (below < NEAR_END) setLeft(null)
    else if (left === null) setLeft(newestSeq(messages))
    if (older && element.scrollHeight - element.clientHeight - below < NEAR_START) more()
  }

  return (
    <div className={css.frame}>
      <div
        ref={scroller}
        className={css.scroller}
        role="log"
        aria-label={t`Messages`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must reach a scroll container
        tabIndex={0}
        onScroll={scrolled}
      >
        <div className={css.content}>
          {head}
          {status === 'loading' && messages.length === 0 ? <Loading /> : rows.length === 0 && empty}
          <ol className={css.rows}>
            {rows.map((row) => {
              switch (row.kind) {
                case 'gap':
                  return (
                    <li key={row.id} data-gap="" className={css.line}>
                      <Button kind="plain" onClick={more}>
                        {t`Afficher les messages précédents`}
                      </Button>
                    </li>
                  )
                case 'day':
                  return (
                    <li key={row.id} className={css.line}>
                      <span className={css.day}>{dayLong(Date.parse(row.at))}</span>
                    </li>
                  )
                case 'unread':
                  return (
                    <li key={row.id} className={css.unread}>
                      <Plural
                        value={row.count}
                        one="# nouveau message"
                        other="# nouveaux messages"
                      />
                    </li>
                  )
                default: {
                  const { message, follows } = row
                  const own = message.sender_id === me
                  const known = own ? stateOf(message, facts?.peerReadUntil ?? 0) : message.state
                  const entry =
                    known === 'refused' || message.photo !== undefined
                      ? entryOf(message)
                      : undefined
                  const state = known === 'queued' && entry?.state === 'sending' ? 'sending' : known
                  return (
                    <Bubble
                      key={row.id}
                      message={message}
                      own={own}
                      follows={follows}
                      state={state}
                      warning={warnings?.get(message.id)}
                      entry={state === 'refused' ? entry : undefined}
                      onReport={onReport}
                    />
                  )
                }
              }
            })}
          </ol>
          <p className={css.typing} role="status">
            {typing !== null && <Trans>{typing} est en train d’écrire</Trans>}
          </p>
        </div>
      </div>
      {left !== null && (
        <button
          type="button"
          className={css.pill}
          onClick={() => scroller.current?.scrollTo({ top: 0, behavior: 'smooth' })}
        >
          <ArrowDown />
          {fresh > 0 ? (
            <Plural value={fresh} one="# nouveau message" other="# nouveaux messages" />
          ) : (
            <span className="unseen">{t`Aller en bas`}</span>
          )}
        </button>
      )}
    </div>
  )

  function entryOf(message: MessageDocument) {
    return entries.find((entry) => entry.id === message.id)
  }
}

function Loading() {
  return (
    <div aria-hidden="true" className={css.loading}>
      <Skeleton shape="block" />
      <Skeleton shape="block" />
      <Skeleton shape="block" />
    </div>
  )
}
