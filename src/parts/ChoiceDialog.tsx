import { msg } from '@lingui/core/macro'
import { type ComponentProps, type ReactNode, useState } from 'react'
import type { SendResult } from '#schema/port/outcome'
import { type Sentence, whyNotQueued } from '../locales/problems.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { RadioGroup, TextArea } from '../ui/Field.tsx'
import { toast } from '../ui/toasts.ts'

interface Props<T extends string | number> extends Pick<
  ComponentProps<typeof Dialog>,
  'open' | 'onClose' | 'title'
> {
  legend: string
  name: string
  options: readonly (readonly [T, string])[]
  label: (choice: T | undefined) => string
  most: number
  first?: { readonly choice: T; readonly text: string } | undefined
  check: (choice: T | undefined, length: number) => Sentence | undefined
  action: string
  send: (choice: T, text: string) => Promise<SendResult>
  thanks: string
  children?: ReactNode
}

export function ChoiceDialog<T extends string | number>({
  legend,
  name,
  options,
  label,
  most,
  first,
  check,
  action,
  send,
  thanks,
  children,
  ...dialog
}: Props<T>) {
  const [choice, setChoice] = useState(first?.choice)
  const [text, setText] = useState(first?.text ?? '')
  const [wrong, setWrong] = useState<Sentence>()
  const [busy, setBusy] = useState(false)
  const written = text.trim()
  const { length } = [...written]

  async function submit() {
    const fault =
      check(choice, length) ?? (length > most ? msg`Ce texte est trop long.` : undefined)
    if (choice === undefined || fault !== undefined) return setWrong(fault)
    setBusy(true)
    const why = whyNotQueued(await send(choice, written))
    setBusy(false)
    if (why !== undefined) return setWrong(why)
    setChoice(undefined)
    setText('')
    dialog.onClose()
    toast(thanks, { tone: 'good' })
  }

  return (
    <Dialog
      {...dialog}
      actions={
        <Button kind="main" onClick={() => void submit()} disabled={busy}>
          {action}
        </Button>
      }
    >
      <RadioGroup
        legend={legend}
        error={choice === undefined ? wrong : undefined}
        name={name}
        options={options}
        value={choice}
        onValue={(one) => {
          setChoice(one)
          setWrong(undefined)
        }}
      />
      <TextArea
        label={label(choice)}
        rows={3}
        counter={most}
        value={text}
        error={choice === undefined ? undefined : wrong}
        onValue={setText}
      />
      {children}
    </Dialog>
  )
}
