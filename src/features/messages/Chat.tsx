import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import empty from 'virtual:texts/empty_states'
import type { ConversationDocument, MessageDocument } from '#schema/disk/documents'
import { listingOfLocal } from '#schema/localConversation'
import type { MessageContent } from '#schema/port/command'
import type { Status } from '#schema/port/question'
import type { SellerMini } from '#schema/wire/shapes'
import { useScreen } from '../../app/screen.ts'
import { refresh, send } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useTranslate } from '../../locales/format.ts'
import { NotFound, Offline } from '../../parts/drawings/lazyDrawings.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { useMedia } from '../../ui/media.ts'
import { vibrate } from '../../ui/vibrate.ts'
import { usePhone } from '../listing/Phone.tsx'
import { ReportDialog } from '../report/ReportDialog.tsx'
import css from './Chat.module.css'
import { ChatHead, WayBack } from './ChatHead.tsx'
import { CannotSend, Connection, PushNudge, SafetyTip, wantsNudge } from './ChatNotices.tsx'
import { Composer } from './Composer.tsx'
import { ListingPanel, ListingStrip, PhoneLine, type Subject } from './ListingStrip.tsx'
import { draftKeyOf, peerOf } from './peer.ts'
import { useAnswered } from './useAnswered.ts'
import { quickFor } from './quick.ts'
import type { Unread } from './thread.ts'
import { Thread, ThreadSkeleton } from './Thread.tsx'
import { ThreadSearch } from './ThreadSearch.tsx'
import type { Find } from './useThread.ts'
import { conversations } from '../../parts/links.ts'
import { useNameOf } from '../../parts/person.ts'

/** Later, quick questions are in the way. */
const BEGINNING = 6
const NUDGE_MS = 1000
const VIBRATION_MS = 12
const NOTHING: Find = { words: '', wanted: null }

interface Props {
  id: string
  me: string
  alone: boolean
}

/** [S2.42]: `new-LISTING` until the server has it, then its real address. */
export function Chat(props: Props) {
  const fresh = listingOfLocal(props.id)
  return fresh === null ? <KnownChat {...props} /> : <FreshChat {...props} listing={fresh} />
}

function KnownChat(chat: Props) {
  const { rows, facts, status } = useLiveQuery('conversation.detail', { id: chat.id })
  const [conversation] = rows
  if (!conversation) return <Missing {...chat} status={status} />
  return (
    <View
      {...chat}
      conversation={conversation}
      subject={conversation.listing}
      peer={peerOf(conversation.participants, chat.me)}
      buys={conversation.listing.seller_id !== chat.me}
      category={facts?.category ?? null}
      typing={facts?.typing ?? null}
    />
  )
}

function FreshChat({ listing, ...chat }: Props & { listing: string }) {
  const { id, me } = chat
  const detail = useLiveQuery('conversation.detail', { id })
  const { rows, facts, status } = useLiveQuery('listing.detail', { id: listing })
  const [conversation] = detail.rows
  const [document] = rows
  const real = conversation?.movedTo ?? facts?.conversation ?? null

  if (real !== null && real !== id)
    return <Navigate to="/messages/{-$conversationId}" params={{ conversationId: real }} replace />
  if (!conversation && !document)
    return <Missing {...chat} status={detail.status === 'loading' ? 'loading' : status} />
  if (facts?.isOwner === true || document?.seller_id === me) return <Instead {...chat} why="own" />
  const subject = conversation?.listing ?? (document && { ...document, image: document.cover })
  if (!subject) return <Waiting {...chat} />
  return (
    <View
      {...chat}
      conversation={conversation ?? null}
      subject={subject}
      peer={document?.seller ?? peerOf(conversation?.participants ?? [], me)}
      buys
      category={document?.category ?? null}
      typing={null}
    />
  )
}

function Missing({ status, ...chat }: Props & { status: Status }) {
  return status === 'loading' ? (
    <Waiting {...chat} />
  ) : (
    <Instead {...chat} why={status === 'offline' ? 'offline' : 'unknown'} />
  )
}

function Waiting({ id, alone }: Props) {
  return (
    <div
      className={css.chat}
      data-conversation={id}
      data-whole-screen={alone ? '' : undefined}
      aria-busy="true"
    >
      {alone && <WayBack />}
      <div className={css.waits}>
        <ThreadSkeleton />
      </div>
    </div>
  )
}

interface ViewProps extends Props {
  conversation: ConversationDocument | null
  subject: Subject
  peer: SellerMini | null
  buys: boolean
  category: string | null
  typing: string | null
}

function View({ id, me, alone, conversation, subject, peer, buys, category, typing }: ViewProps) {
  const { t } = useLingui()
  const translate = useTranslate()
  const nameOf = useNameOf()
  const [reporting, setReporting] = useState(false)
  const [nudging, setNudging] = useState(false)
  const [unread] = useState<Unread | null>(
    conversation && { after: conversation.my_read_until, upTo: conversation.last_seq },
  )
  const draftKey = draftKeyOf(id, subject.id, buys)
  const [answered, setAnswered] = useAnswered(draftKey)
  const [find, setFind] = useState<Find | null>(null)
  const [least, setLeast] = useState(1)
  const threeColumns = useMedia('(min-width: 1024px)')
  const phone = usePhone(subject.id)
  const callable = buys && (subject.status === 'active' || subject.status === 'reserved')
  const found = useCallback((next: Find) => setFind((before) => before && next), [])
  const answer = (message: MessageDocument) =>
    setAnswered({
      id: message.serverId,
      own: message.sender_id === me,
      name: message.sender_username,
      words: message.content,
    })
  const open = conversation?.can_send !== false
  const name = peer === null ? '' : nameOf(peer)
  useScreen(name === '' ? t`Messages` : name)
  const report = () => setReporting(true)
  const blocked = conversation?.cannot_send_reason === 'blocked_by_me'

  const quick = wantsQuick(conversation, me, buys)
    ? quickFor(buys ? 'buyer' : 'seller', category).toSorted(
        (a, b) => Number(b.categories !== undefined) - Number(a.categories !== undefined),
      )
    : []

  const deliver = (message: MessageContent, draft?: string) =>
    conversation === null
      ? send('conversation.start', { listing: subject.id, ...message }, message.photo?.id, draft)
      : send('message.send', { conversation: id, ...message }, message.photo?.id, draft)

  return (
    <>
      <section
        className={css.chat}
        data-conversation={id}
        data-whole-screen={alone ? '' : undefined}
        aria-label={t`Conversation avec ${name}`}
      >
        <ChatHead
          peer={peer}
          blocked={blocked}
          alone={alone}
          typing={typing !== null}
          phone={callable ? phone : null}
          onSearch={() => setFind(NOTHING)}
          onReport={report}
        />
        {callable && phone.phone !== null && (
          <PhoneLine phone={phone.phone} listing={subject} onClose={phone.hide} />
        )}
        {find ? (
          <ThreadSearch
            conversation={id}
            onFind={found}
            onOlder={setLeast}
            onClose={() => setFind(null)}
          />
        ) : (
          !threeColumns && <ListingStrip listing={subject} category={category} />
        )}
        <Thread
          conversation={id}
          me={me}
          readUntil={conversation?.my_read_until ?? 0}
          unread={unread}
          onReport={report}
          onAnswer={open ? answer : null}
          find={find}
          least={least}
          head={<SafetyTip />}
          empty={<p className={css.hello}>{translate(empty.chat_none)}</p>}
          typing={typing}
        />
        {nudging && <PushNudge me={me} onDone={() => setNudging(false)} />}
        <Connection conversation={id} />
        {open ? (
          <Composer
            conversation={id}
            draftKey={draftKey}
            deliver={deliver}
            quick={quick.map((text) => translate(text))}
            answered={answered}
            onAnswered={() => setAnswered(null)}
            onSent={() => {
              vibrate(VIBRATION_MS)
              // With the next frame, which does a layout anyway.
              requestAnimationFrame(() =>
                document.querySelector('[role="log"]')?.scrollTo({ top: 0 }),
              )
              setTimeout(() => setNudging((shown) => shown || wantsNudge(me)), NUDGE_MS)
            }}
          />
        ) : (
          <CannotSend reason={conversation?.cannot_send_reason ?? null} peer={peer} />
        )}
        <ReportDialog
          open={reporting}
          onClose={() => setReporting(false)}
          listing={buys ? subject.id : null}
          user={peer?.id ?? null}
        />
      </section>
      {threeColumns && (
        <ListingPanel
          listing={subject}
          category={category}
          peer={peer}
          buys={buys}
          phone={callable ? phone : null}
        />
      )}
    </>
  )
}

/** A buyer's early questions, or answers of a seller whose reply is due. */
function wantsQuick(conversation: ConversationDocument | null, me: string, buys: boolean) {
  const last = conversation?.last_message ?? null
  return buys ? (conversation?.last_seq ?? 0) < BEGINNING : last !== null && last.sender_id !== me
}

/** [S5.06, S8.11]. */
function Instead({ id, alone, why }: Props & { why: 'offline' | 'unknown' | 'own' }) {
  const { t } = useLingui()
  useScreen(t`Messages`)
  const words = {
    offline: [
      t`Pas encore sur ce téléphone`,
      t`Cette conversation n’est pas encore sur ce téléphone. Elle viendra avec le réseau.`,
    ],
    unknown: [t`Conversation introuvable.`, t`Cette conversation n’existe pas ou n’existe plus.`],
    own: [
      t`Votre annonce`,
      t`Vous ne pouvez pas démarrer une conversation avec votre propre annonce.`,
    ],
  } as const
  const [title, text] = words[why]
  return (
    <div className={css.chat} data-conversation={why === 'own' ? id : undefined}>
      <Empty
        alert
        drawing={why === 'offline' ? <Offline /> : <NotFound />}
        heading={alone ? 'h1' : 'h2'}
        title={title}
        text={text}
        onRetry={why === 'offline' ? () => refresh('conversation.detail', { id }) : undefined}
        action={
          why === 'unknown' && (
            <ButtonLink {...conversations}>{t`Toutes les conversations`}</ButtonLink>
          )
        }
      />
    </div>
  )
}
