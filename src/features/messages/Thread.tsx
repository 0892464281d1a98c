import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { MessageDocument, MessageState } from '#schema/disk/documents'
import { DAY_MS } from '#schema/limits'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { useNow } from '../../parts/now.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toasts.ts'
import { Bubble } from './Bubble.tsx'
import { hasWords } from './marks.ts'
import { actionsOf, MessageMenu } from './MessageMenu.tsx'
import css from './Thread.module.css'
import { useScamJudge, warningsOf } from './scam.tsx'
import { daysOf, newestSeq, stateOf, threadRows, type Unread } from './thread.ts'
import { type Place, usePress } from './usePress.ts'
import { useReveal, useSeen, useThread, type Wanted, type Find } from './useThread.ts'

interface Props {
  conversation: string
  me: string
  readUntil: number
  unread: Unread | null
  onReport: () => void
  /** null: nobody can be answered here. */
  onAnswer: ((message: MessageDocument) => void) | null
  find: Find | null
  least: number
  head: ReactNode
  empty: ReactNode
  typing: string | null
}

const NEAR_END = 64
const NEAR_START = 600

/** column-reverse: older rows inserted above never move the view. */
export function Thread({
  conversation,
  me,
  readUntil,
  unread,
  onReport,
  onAnswer,
  find,
  least,
  head,
  empty,
  typing,
}: Props) {
  const { t } = useLingui()
  const { messages, facts, status, older, more } = useThread(conversation, least)
  const entries = useLiveQuery('outbox.entries', {}).rows
  const judge = useScamJudge()
  const scroller = useRef<HTMLDivElement>(null)
  const [left, setLeft] = useState<number | null>(null)
  const [quoted, setQuoted] = useState<Wanted | null>(null)
  const [menu, setMenu] = useState<{ readonly id: string; readonly place: Place } | null>(null)
  const press = usePress((id, place) => setMenu({ id, place }))

  const theirs = messages.filter((message) => message.sender_id !== me)
  const warnings = judge ? warningsOf(theirs, judge) : null
  const fresh = left === null ? 0 : theirs.filter((message) => message.seq > left).length
  const gapBefore = facts?.gapBefore ?? null
  const days = daysOf(threadRows(messages, { gapBefore, me, unread }))
  const words = find?.words ?? ''
  const last = messages.at(-1)?.id

  useSeen(scroller, conversation, readUntil, newestSeq(theirs))
  const thread = { messages, status, older: older || gapBefore !== null, more }
  const missing = () => toast(t`Ce message n’est pas sur ce téléphone.`)
  const quotation = useReveal(scroller, quoted, thread, missing)
  useReveal(scroller, find?.wanted ?? null, thread, missing)
  const foundId = menu?.id ?? quotation ?? find?.wanted?.id ?? null

  function scrolled() {
    const element = scroller.current
    if (!element) return
    const below = Math.abs(element.scrollTop)
    if (below < NEAR_END) setLeft(null)
    else if (left === null) setLeft(newestSeq(messages))
    if (older && element.scrollHeight - element.clientHeight - below < NEAR_START) more()
  }

  function entryOf(message: MessageDocument) {
    return entries.find((entry) => entry.id === message.id)
  }

  function shownState(message: MessageDocument): MessageState {
    if (message.sender_id !== me) return message.state
    const known = stateOf(message, facts?.peerReadUntil ?? 0)
    // Only photos take long enough for the difference to be seen.
    const isPhotoQueued = known === 'queued' && message.photo !== undefined
    return isPhotoQueued && entryOf(message)?.state === 'sending' ? 'sending' : known
  }

  const chosen = menu && messages.find(({ id }) => id === menu.id)
  const actions =
    chosen && actionsOf(chosen, shownState(chosen), chosen.sender_id === me, onAnswer !== null)
  const shown = (message: MessageDocument) => {
    const state = shownState(message)
    const answered = message.reply_to_id ?? null
    return {
      message,
      state,
      warning: warnings?.get(message.id),
      entry: state === 'refused' ? entryOf(message) : undefined,
      original:
        answered === null ? null : (messages.find(({ serverId }) => serverId === answered) ?? null),
    }
  }

  return (
    <div className={css.frame}>
      {/* Each message has a button that does what a press does. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={scroller}
        className={css.scroller}
        role="log"
        aria-label={t`Messages`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must reach a scroll container
        tabIndex={0}
        onScroll={scrolled}
        onKeyDown={moveBetweenMenus}
        {...press}
      >
        <div className={css.content}>
          {head}
          {status === 'loading' && messages.length === 0 ? (
            <ThreadSkeleton />
          ) : (
            days.length === 0 && empty
          )}
          <ol>
            {days.map((day) => (
              <li key={day.id}>
                {day.at !== null && <DayLine at={day.at} />}
                <ol className={css.rows}>
                  {day.rows.map((row) => {
                    switch (row.kind) {
                      case 'gap':
                        return (
                          <li key={row.id} data-gap="" className={css.line}>
                            <Button kind="plain" onClick={more}>
                              {t`Afficher les messages précédents`}
                            </Button>
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
                        const has = (id: string | null | undefined) =>
                          row.messages.some((message) => message.id === id)
                        return (
                          <Bubble
                            key={row.id}
                            shown={row.messages.map(shown)}
                            me={me}
                            follows={row.follows}
                            words={
                              row.messages.some(({ content }) => hasWords(content, words))
                                ? words
                                : ''
                            }
                            foundId={has(foundId) ? foundId : null}
                            last={has(last)}
                            onReport={onReport}
                            onQuote={quote}
                          />
                        )
                      }
                    }
                  })}
                </ol>
              </li>
            ))}
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
      {menu && chosen && actions && Object.values(actions).includes(true) && (
        <MessageMenu
          key={menu.id}
          message={chosen}
          actions={actions}
          entry={entryOf(chosen)}
          place={menu.place}
          onAnswer={onAnswer}
          onClose={() => setMenu(null)}
        />
      )}
    </div>
  )

  function quote(id: string) {
    setQuoted({ id })
  }
}

/** [S13.34]. */
function DayLine({ at }: { at: string }) {
  const { t } = useLingui()
  const { day, dayLong } = useFormat()
  const now = useNow()
  const ms = Date.parse(at)
  const name =
    day(ms) === day(now) ? t`Aujourd’hui` : day(ms) === day(now - DAY_MS) ? t`Hier` : dayLong(ms)
  return (
    <p className={css.dayLine}>
      <span className={css.day}>{name}</span>
    </p>
  )
}

function moveBetweenMenus(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-actions]')]
  const here = all.findIndex((button) => button === event.target)
  if (step === 0 || here === -1) return
  event.preventDefault()
  all[here + step]?.focus()
}

export function ThreadSkeleton() {
  return (
    <div aria-hidden="true" className="spaced">
      <Skeleton shape="block" />
      <Skeleton shape="block" />
      <Skeleton shape="block" />
    </div>
  )
}
