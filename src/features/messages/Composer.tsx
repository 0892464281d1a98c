import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import SendHorizontal from 'lucide-react/icons/send-horizontal'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import {
  type FormEvent,
  type KeyboardEvent,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { MESSAGE_MAX } from '#schema/limits'
import type { MessageContent } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import { isVisible, lengthOf } from '#schema/visible'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { FormError } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './Composer.module.css'
import { PhotoChoice, PhotoPreview } from './ComposerPhoto.tsx'
import { useAttachment } from './useAttachment.ts'
import { useDraft, without } from './useDraft.ts'
import { useScamJudge } from './scam.ts'
import { useTyping } from './useTyping.ts'

interface Props {
  conversation: string
  draftKey: string
  deliver: (message: MessageContent, draft: string) => Promise<SendResult>
  quick: readonly string[]
  onSent: () => void
}

/** A sooner bubble makes a busy state unnecessary. */
const BUSY_MS = 300

/**
 * Whether the last composer had the focus: the change to the real conversation must not close the
 * keyboard.
 */
let leftFocused: string | null = null

/** Empties only once the message is stored on the device [SURFACE 2]. */
export function Composer({ conversation, draftKey, deliver, quick, onSent }: Props) {
  const { t } = useLingui()
  const draft = useDraft(draftKey)
  const attachment = useAttachment(draftKey)
  const { typing, stopped } = useTyping(conversation)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Sentence>()
  const sending = useRef(false)
  /** The text at the last tap: two taps on equal text send one message, with more text two. */
  const tapped = useRef('')
  /** The first message creates the conversation that the second belongs to. */
  const way = useRef(deliver)
  const box = useRef<HTMLTextAreaElement>(null)
  const left = room(draft.text)
  const sendable =
    (isVisible(draft.text) || attachment.photo !== null) && !attachment.busy && left >= 0

  useLayoutEffect(() => {
    way.current = deliver
  }, [deliver])

  useLayoutEffect(() => {
    const element = box.current
    if (leftFocused === draftKey) element?.focus()
    leftFocused = null
    return () => {
      if (element !== null && element === document.activeElement) leftFocused = draftKey
    }
  }, [draftKey])

  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    if (!sending.current && !sendable) return
    // The button is disabled once the box is empty, which would drop the focus.
    if (event?.currentTarget.contains(document.activeElement)) box.current?.focus()
    tapped.current = draft.text
    if (sending.current) return
    sending.current = true
    const { photo } = attachment
    let behind = await queue(
      {
        content: clean(draft.text),
        ...(photo && { photo: { id: photo.id, bytes: photo.file.size } }),
      },
      draft.text,
    )
    while (isVisible(behind) && room(behind) >= 0)
      behind = await queue({ content: clean(behind) }, behind)
    sending.current = false
  }

  /**
   * Resolves, once stored, with the text of a later tap to send next; text typed after that tap
   * stays.
   */
  async function queue(message: MessageContent, text: string): Promise<string> {
    let slow = false
    const timer = setTimeout(() => {
      slow = true
      setBusy(true)
    }, BUSY_MS)
    setWrong(undefined)
    draft.hold()
    const delivered = way.current(message, draftKey)
    // After the message, which the bubble waits for.
    stopped()
    const sent = await delivered
    clearTimeout(timer)
    // Skip state updates that change nothing: each one costs a render before the bubble's first
    // frame.
    if (slow) setBusy(false)
    const why = whyNotQueued(sent)
    const rest = draft.used(why === undefined ? text : null)
    if (why !== undefined) {
      setWrong(why)
      return ''
    }
    if (message.photo) attachment.used()
    onSent()
    const behind = without(text, tapped.current)
    tapped.current = behind
    return rest.startsWith(behind) ? behind : ''
  }

  /** Enter sends with a hardware keyboard; on a phone it inserts a new line. */
  function key(event: KeyboardEvent): void {
    if (
      event.key !== 'Enter' ||
      event.shiftKey ||
      event.nativeEvent.isComposing ||
      !matchMedia('(pointer: fine)').matches
    )
      return
    event.preventDefault()
    void submit()
  }

  function choose(text: string): void {
    draft.write(text)
    box.current?.focus()
  }

  return (
    <form
      className={css.composer}
      data-composer=""
      data-photo={attachment.busy ? '' : undefined}
      data-kept={draft.kept ? '' : undefined}
      onSubmit={(event) => void submit(event)}
    >
      {wrong === undefined && attachment.refused === null && <ScamNote draft={draft.text} />}
      <FormError error={wrong} />
      {draft.text === '' && attachment.photo === null && quick.length > 0 && (
        <div className={chipRow} role="group" aria-label={t`Messages tout prêts`}>
          {quick.map((text) => (
            <Chip key={text} onClick={() => choose(text)}>
              {text}
            </Chip>
          ))}
        </div>
      )}
      <PhotoPreview attachment={attachment} quiet={wrong !== undefined} />
      <div className={css.line}>
        <PhotoChoice disabled={attachment.busy} onChoose={(file) => void attachment.take(file)} />
        <textarea
          ref={box}
          className={css.box}
          rows={1}
          dir="auto"
          aria-label={t`Votre message`}
          placeholder={t`Votre message`}
          aria-invalid={left < 0 || undefined}
          value={draft.text}
          onChange={(event) => {
            draft.write(event.target.value)
            if (event.target.value === '') stopped()
            else typing()
          }}
          onBlur={stopped}
          onKeyDown={key}
        />
        {/* A press must not take the focus from the box, or the on-screen keyboard closes. */}
        <button
          type="submit"
          className={css.send}
          onMouseDown={(event) => event.preventDefault()}
          aria-label={t`Envoyer`}
          title={t`Envoyer`}
          aria-busy={busy}
          disabled={!sendable}
        >
          <SendHorizontal />
        </button>
      </div>
      {left <= 200 && (
        <p className={left < 0 ? css.over : css.left} role="status">
          {left < 0 ? (
            <Plural value={-left} one="# caractère de trop" other="# caractères de trop" />
          ) : (
            <Plural value={left} one="Encore # caractère" other="Encore # caractères" />
          )}
        </p>
      )}
    </form>
  )
}

/** Warns before sending (texts.json, scam_patterns), but never blocks. */
function ScamNote({ draft }: { draft: string }) {
  const translate = useTranslate()
  const judge = useScamJudge()
  const text = useDeferredValue(draft)
  const [worst] = judge?.(text) ?? []
  return (
    <div role="status">
      {worst && (
        <Notice
          tone={
            worst.severity === 'high' ? 'danger' : worst.severity === 'medium' ? 'wait' : 'plain'
          }
          icon={ShieldAlert}
        >
          {translate(worst.warning)}{' '}
          <Link to="/help" hash="safety">
            <Trans>Conseils de sécurité</Trans>
          </Link>
        </Notice>
      )}
    </div>
  )
}

const room = (text: string): number => MESSAGE_MAX - lengthOf(text)

/** Characters that the server would refuse [API 1.1]. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}
