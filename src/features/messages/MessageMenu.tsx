import { useLingui } from '@lingui/react/macro'
import { Copy, Reply, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import type { MessageDocument, MessageState } from '#schema/disk/documents'
import { ask } from '../../data/ask.ts'
import { whyNot } from '../../locales/problems.ts'
import { copyText } from '../../ui/copyText.ts'
import { Confirm, useModal } from '../../ui/Dialog.tsx'
import { MenuItem, moveFocus } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toasts.ts'
import { mayHaveArrived, RemovalText } from '../outbox/EntryActions.tsx'
import css from './MessageMenu.module.css'
import type { Place } from './usePress.ts'

interface Props {
  message: MessageDocument
  actions: ReturnType<typeof actionsOf>
  entry: Entry | undefined
  place: Place
  /** null: nobody can be answered here. */
  onAnswer: ((message: MessageDocument) => void) | null
  onClose: () => void
}

const EDGE = 8

/** A modal: it must not close when the finger leaves. */
export function MessageMenu({ message, actions, entry, place, onAnswer, onClose }: Props) {
  const { t } = useLingui()
  const modal = useModal(onClose)
  const armed = useRef(false)
  const [removing, setRemoving] = useState(false)

  useLayoutEffect(() => {
    const shown = modal.ref.current
    shown?.style.setProperty('--x', `${Math.min(place.x, innerWidth - shown.offsetWidth - EDGE)}px`)
    shown?.style.setProperty(
      '--y',
      `${Math.min(place.y, innerHeight - shown.offsetHeight - EDGE)}px`,
    )
    shown?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [modal.ref, place])

  async function copy() {
    onClose()
    if (await copyText(message.content)) toast(t`Message copié.`)
    else toast(t`Ce téléphone ne laisse pas copier.`)
  }

  async function remove() {
    onClose()
    const outcome = await ask('outbox.remove', { id: message.id })
    if (outcome.kind === 'done') toast(t`Message supprimé.`)
    else toast(whyNot(outcome), { tone: 'danger' })
  }

  if (removing)
    return (
      <Confirm
        open
        onClose={onClose}
        title={t`Supprimer ce message ?`}
        action={t`Supprimer`}
        onConfirm={() => void remove()}
      >
        <RemovalText uncertain={entry !== undefined && mayHaveArrived(entry)} />
      </Confirm>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keyboards have Escape
    <dialog
      {...modal}
      className={css.menu}
      aria-label={t`Actions du message`}
      onPointerDown={() => (armed.current = true)}
      onClickCapture={(event) => {
        // The finger that opened the menu; clicks by keys have no detail.
        if (!armed.current && event.detail > 0) event.stopPropagation()
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus */}
      <div role="menu" aria-label={t`Actions du message`} onKeyDown={move}>
        {actions.answer && onAnswer && (
          <MenuItem
            icon={Reply}
            onClick={() => {
              onClose()
              onAnswer(message)
            }}
          >
            {t`Répondre`}
          </MenuItem>
        )}
        {actions.copy && (
          <MenuItem icon={Copy} onClick={() => void copy()}>
            {t`Copier`}
          </MenuItem>
        )}
        {actions.remove && (
          <MenuItem icon={Trash2} onClick={() => setRemoving(true)}>
            {t`Supprimer`}
          </MenuItem>
        )}
      </div>
    </dialog>
  )
}

export function actionsOf(
  message: MessageDocument,
  state: MessageState,
  own: boolean,
  answers: boolean,
) {
  return {
    answer: answers && message.serverId !== '',
    copy: message.content !== '' && 'clipboard' in navigator,
    remove: own && (state === 'queued' || state === 'refused'),
  }
}

function move(event: KeyboardEvent<HTMLElement>) {
  moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')])
}
