import { Trans, useLingui } from '@lingui/react/macro'
import { EllipsisVertical, ShieldAlert } from 'lucide-react'
import { memo, useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import { MESSAGE_MAX } from '#schema/limits'
import type { MessageDocument, MessageState } from '#schema/disk/documents'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { DeliveryMark } from '../../parts/DeliveryMark.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { EntryActions, mayHaveArrived } from '../outbox/EntryActions.tsx'
import css from './Bubble.module.css'
import { markedParts } from './marks.ts'
import { Quote } from './Quote.tsx'
import { SafetyLink, type ScamPattern } from './scam.tsx'
import { WhyNotSent } from './WhyNotSent.tsx'
import { PhotoDialog } from '../../parts/PhotoDialog.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FilePhoto, useStoredPhoto } from '../../parts/StoredPhoto.tsx'

type ShownMessage = Readonly<{
  message: MessageDocument
  state: MessageState
  warning: ScamPattern | undefined
  entry: Entry | undefined
  original: MessageDocument | null
}>

interface Props {
  /** One, or the photos of an album. */
  shown: readonly ShownMessage[]
  me: string
  follows: boolean
  /** Folded words to mark; '': none. */
  words: string
  /** The message that a search or a quotation has led to. */
  foundId: string | null
  /** The newest: the tab key reaches its menu, arrow keys the others. */
  last: boolean
  onReport: () => void
  onQuote: (serverId: string) => void
}

export const Bubble = memo(BubbleOf, isSame)

function BubbleOf({ shown, me, follows, words, foundId, last, onReport, onQuote }: Props) {
  const { t } = useLingui()
  const { time } = useFormat()
  const [first] = shown
  // Just written, so in view: saves a layout pass.
  const [written] = useState(first?.state === 'queued')
  if (!first) return null
  const own = first.message.sender_id === me
  const album = shown.length > 1
  const answered = first.message.reply_to_id ?? null
  return (
    <li
      className={classes(css.row, own && css.own, follows && css.follows, written && css.written)}
    >
      <div className={css.beside}>
        <div
          className={classes(
            css.bubble,
            album && css.album,

            shown.some(({ state }) => state === 'refused') && css.refused,
          )}
        >
          {answered !== null && (
            <Quote
              original={first.original}
              own={first.original?.sender_id === me}
              onClick={() => onQuote(answered)}
            />
          )}
          {shown.map(({ message, state }) => (
            <div
              key={message.id}
              className={css.message}
              data-message={message.id}
              data-state={state}
              data-seq={own ? undefined : message.seq}
              data-found={message.id === foundId ? '' : undefined}
            >
              <MessagePhoto message={message} own={own} album={album} />
              {message.content !== '' && (
                <p dir="auto" className={css.text}>
                  {words === '' ? (
                    message.content
                  ) : (
                    <Marked content={message.content} words={words} />
                  )}
                </p>
              )}
              <p className={css.foot}>
                <time dateTime={message.created_at}>{time(Date.parse(message.created_at))}</time>
                {own && <DeliveryMark state={state} />}
              </p>
            </div>
          ))}
        </div>
        <button
          type="button"
          className={css.more}
          data-actions=""
          tabIndex={last ? 0 : -1}
          aria-haspopup="menu"
          aria-label={t`Actions du message`}
        >
          <EllipsisVertical />
        </button>
      </div>
      {shown.map((one) => (
        <Trouble key={one.message.id} shown={one} onReport={onReport} />
      ))}
    </li>
  )
}

function Marked({ content, words }: { content: string; words: string }) {
  return markedParts(content, words).map(({ text, found }, at) =>
    // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other name
    found ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
  )
}

function Trouble({
  shown: { message, state, warning, entry },
  onReport,
}: {
  shown: ShownMessage
  onReport: () => void
}) {
  return (
    <>
      {warning && <Warning pattern={warning} onReport={onReport} />}
      {state === 'refused' && (
        <div className={css.trouble}>
          <p role="alert">
            <strong>
              <Trans>Échec de l’envoi du message</Trans>
            </strong>{' '}
            {entry && <WhyNotSent entry={entry} />}
          </p>
          <EntryActions
            id={message.id}
            content={message.content}
            most={MESSAGE_MAX}
            retry
            uncertain={entry !== undefined && mayHaveArrived(entry)}
            className={css.actions}
          />
        </div>
      )}
    </>
  )
}

function Warning({ pattern, onReport }: { pattern: ScamPattern; onReport: () => void }) {
  const { t } = useLingui()
  const translate = useTranslate()
  return (
    <div className={classes(css.warning, css[pattern.severity])} role="note">
      <ShieldAlert />
      <p>
        {translate(pattern.warning)} {pattern.severity !== 'low' && <SafetyLink />}
      </p>
      {pattern.severity === 'high' && (
        <Button kind="quiet" onClick={onReport}>
          {t`Signaler`}
        </Button>
      )}
    </div>
  )
}

/** A send renders the list, but no unchanged bubble. */
function isSame({ shown: before, ...others }: Props, { shown: now, ...props }: Props) {
  return (
    hasSameFields(others, props) &&
    before.length === now.length &&
    before.every((one, at) => hasSameFields(one, now[at]))
  )
}

function hasSameFields<T extends object>(one: T, other: T | undefined) {
  return (
    other !== undefined &&
    Object.entries(one).every(([name, value]) => Object.is(value, Reflect.get(other, name)))
  )
}

/** An own photo renders from the local copy: its sender never downloads it. */
function MessagePhoto({
  message: { photo, attachment, sender_username: name },
  own,
  album,
}: {
  message: MessageDocument
  own: boolean
  album: boolean
}) {
  const { t } = useLingui()
  // Once sent, the message no longer names it.
  const [local] = useState(photo ?? null)
  const file = useStoredPhoto(local)
  const [whole, setWhole] = useState(false)
  if (photo === undefined && attachment === null) return null

  const alt = own ? t`Votre photo` : t`Photo envoyée par ${name}`
  const picture = (className: string | undefined, widest: number) =>
    file || !attachment ? (
      <FilePhoto file={file} alt={alt} className={className} />
    ) : (
      <Picture
        image={{ ...attachment, position: 0 }}
        alt={alt}
        category="other"
        sizes={widest > 640 ? '100vw' : '15rem'}
        widest={widest}
        className={className}
      />
    )
  return (
    <div className={classes(css.photo, album && css.cell)}>
      <button
        type="button"
        className={css.open}
        aria-label={t`Agrandir la photo`}
        onClick={() => setWhole(true)}
      />
      {picture(css.still, 640)}
      <PhotoDialog open={whole} onClose={() => setWhole(false)} title={alt}>
        {picture(css.fit, 1280)}
      </PhotoDialog>
    </div>
  )
}
