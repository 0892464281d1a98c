'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { Form } from '../../ui/Form.tsx'
import type { Wrong } from './form.ts'
import css from './CreateListingScreen.module.css'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { after } from '../../ui/effects.ts'
import { signInTo } from '../../parts/links.ts'
import { Notice } from '../../ui/Notice.tsx'

interface Props {
  title: string
  place: number
  places: number
  wrong: Wrong
  taking: boolean
  onSubmit: () => void
  children: ReactNode
}

/** Focuses its heading, and its first invalid field. */
export function StepForm({ title, place, places, wrong, taking, onSubmit, children }: Props) {
  const { t } = useLingui()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <Form
      wrong={wrong}
      data-photo={taking ? '' : undefined}
      className={css.form}
      onSubmit={onSubmit}
    >
      <div>
        <p className="unseen">{t`Étape ${place} sur ${places}`}</p>
        <div className={css.progress} aria-hidden="true">
          {Array.from({ length: places }, (_, at) => (
            <span key={at} className={at < place ? css.done : undefined} />
          ))}
        </div>
        <h2 ref={heading} tabIndex={-1} className={css.heading}>
          {title}
        </h2>
      </div>
      {children}
    </Form>
  )
}

/** A double tap must not press the next step's button. */
const SECOND_TAP_MS = 350

export function StepButton(rest: Omit<ComponentProps<typeof Button>, 'kind' | 'type' | 'onClick'>) {
  const [early, setEarly] = useState(true)
  useEffect(() => after(SECOND_TAP_MS, () => setEarly(false)), [])
  return (
    <Button
      {...rest}
      kind="main"
      type="submit"
      // Not `disabled`, which would show.
      aria-disabled={early || undefined}
      onClick={(event) => {
        if (early) event.preventDefault()
      }}
    />
  )
}

export function NoRoom({ text }: { text: boolean }) {
  const { t } = useLingui()
  return (
    <Notice tone="danger" live="alert">
      <strong>
        {text
          ? t`Votre texte est gardé, mais pas toutes vos photos`
          : t`Ce que vous écrivez n’est pas encore gardé`}
      </strong>
      <p>
        <Trans>
          Ce téléphone n’a plus de place. Supprimez d’autres brouillons, des vidéos ou des
          applications, et laissez cette page ouverte : tout sera gardé dès qu’il y aura de la
          place.
        </Trans>
      </p>
    </Notice>
  )
}

/** The draft stays until its author signs in again. */
export function Lapsed({ next }: { next: string }) {
  return (
    <Notice
      tone="wait"
      live="alert"
      action={
        <ButtonLink {...signInTo(next)}>
          <Trans>Se connecter</Trans>
        </ButtonLink>
      }
    >
      <Trans>
        Session expirée. Votre brouillon reste sur ce téléphone : reconnectez-vous pour le publier.
      </Trans>
    </Notice>
  )
}
