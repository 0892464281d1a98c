import { Plural, useLingui } from '@lingui/react/macro'
import { SendHorizontal, ShieldAlert } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { MESSAGE_MAX } from '#schema/limits'
import type { MessageContent } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import { clean, isVisible, lengthOf } from '#schema/text'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { FormError } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './Composer.module.css'
import { PhotoChoice, PhotoPreview } from './ComposerPhotos.tsx'
import { AnswerPreview } from './Quote.tsx'
import type { Answered } from './useAnswered.ts'
import { useDraft, useTyping, without } from './useDraft.ts'
import { type Attached, usePhotos } from './usePhotos.ts'
import { SafetyLink, useScamJudge } from './scam.tsx'

interface Props {
  conversation: string
  draftKey: string
  /** Without `draft`, the text in the box stays. */
  deliver: (message: MessageContent, draft?: string) => Promise<SendResult>
  quick: readonly string[]
  answered: Answered | null
  onAnswered: () => void
  onSent: () => void
}

/** The busy state shows only if the bubble takes longer than this. */
const BUSY_MS = 300

/**
 * The last composer with the focus: the change to the real conversation must not close the
 * keyboard.
 */
let leftFocused: string | null = null

/** Empties only once the message is stored on the device [SURFACE 2]. */
export function Composer({
  conversation,
  draftKey,
  deliver,
  quick,
  answered,
  onAnswered,
  onSent,
}: Props) {
  const { t } = useLingui()
  const draft = useDraft(draftKey)
  const attached = usePhotos(draftKey)
  const { typing, stopped } = useTyping(conversation)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Sentence>()
  const sending = useRef(false)
  /** At the last tap: two taps on equal text send one message. */
  const tapped = useRef('')
  /** The first message creates the conversation that the second belongs to. */
  const way = useRef(deliver)
  const box = useRef<HTMLTextAreaElement>(null)
  const left = room(draft.text)
  const sendable =
    (isVisible(draft.text) || attached.photos.length > 0) && !attached.busy && left >= 0

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

  const answering = answered?.id ?? null
  useEffect(() => {
    if (answering !== null) box.current?.focus()
  }, [answering])

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (!sending.current && !sendable) return
    // The button is disabled once the box is empty, which would drop the focus.
    if (event?.currentTarget.contains(document.activeElement)) box.current?.focus()
    tapped.current = draft.text
    if (sending.current) return
    sending.current = true
    if (await queuePhotos(attached.photos.slice(0, -1))) {
      let behind = await queue(
        {
          content: clean(draft.text),
          ...photoOf(attached.photos.at(-1)),
          ...(answered && { replyTo: answered.id }),
        },
        draft.text,
      )
      while (isVisible(behind) && room(behind) >= 0)
        behind = await queue({ content: clean(behind) }, behind)
    }
    sending.current = false
  }

  /** One message each; the text goes with the last one. */
  async function queuePhotos(photos: readonly Attached[]) {
    for (const photo of photos) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      const why = whyNotQueued(await way.current({ content: '', ...photoOf(photo) }))
      setWrong(why)
      if (why !== undefined) return false
      attached.used(photo.id)
    }
    return true
  }

  /** Resolves, once stored, with the text of a later tap, to be sent next. */
  async function queue(message: MessageContent, text: string) {
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
    // Each state update costs a render before the bubble's first frame.
    if (slow) setBusy(false)
    const why = whyNotQueued(sent)
    const rest = draft.used(why === undefined ? text : null)
    if (why !== undefined) {
      setWrong(why)
      return ''
    }
    if (message.photo) attached.used(message.photo.id)
    if (message.replyTo !== undefined) onAnswered()
    onSent()
    const behind = without(text, tapped.current)
    tapped.current = behind
    return rest.startsWith(behind) ? behind : ''
  }

  /** Enter sends with a hardware keyboard only. */
  function key(event: KeyboardEvent) {
    if (event.key === 'Escape' && answered !== null) onAnswered()
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

  function choose(text: string) {
    draft.write(text)
    box.current?.focus()
  }

  return (
    <form
      className={css.composer}
      data-composer=""
      data-photo={attached.busy ? '' : undefined}
      data-kept={draft.kept ? '' : undefined}
      onSubmit={(event) => void submit(event)}
    >
      {wrong === undefined && attached.refused.length === 0 && <ScamNote draft={draft.text} />}
      <FormError error={wrong} />
      {draft.text === '' && attached.photos.length === 0 && !answered && quick.length > 0 && (
        <div className={chipRow} data-optional="" role="group" aria-label={t`Messages tout prêts`}>
          {quick.map((text) => (
            <Chip key={text} onClick={() => choose(text)}>
              {text}
            </Chip>
          ))}
        </div>
      )}
      {answered && <AnswerPreview answered={answered} onCancel={onAnswered} />}
      <PhotoPreview attached={attached} quiet={wrong !== undefined} />
      <div className={css.line}>
        <PhotoChoice
          className={css.choose}
          disabled={attached.busy}
          onChoose={(files) => void attached.take(files)}
        />
        <textarea
          ref={box}
          className={css.box}
          rows={1}
          dir="auto"
          aria-label={t`Votre message`}
          placeholder={t`Message`}
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
        {/* Keeps the focus in the box, or the on-screen keyboard closes. */}
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
        <p className={left < 0 ? css.over : css.left} data-optional="" role="status">
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

/** Warns, but never blocks. */
const tones = { high: 'danger', medium: 'wait', low: 'plain' } as const

function ScamNote({ draft }: { draft: string }) {
  const translate = useTranslate()
  const judge = useScamJudge()
  const text = useDeferredValue(draft)
  const [worst] = judge?.(text) ?? []
  return (
    <div role="status">
      {worst && (
        <Notice tone={tones[worst.severity]} icon={ShieldAlert}>
          {translate(worst.warning)} <SafetyLink />
        </Notice>
      )}
    </div>
  )
}

function photoOf(photo: Attached | undefined) {
  return photo && { photo: { id: photo.id, bytes: photo.file.size } }
}

const room = (text: string) => MESSAGE_MAX - lengthOf(text)
