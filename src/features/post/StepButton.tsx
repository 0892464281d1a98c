import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'

/** A double tap on "Continuer" must not press the next step's button, "Publier" in the end. */
const SECOND_TAP_MS = 350

export function StepButton(rest: Omit<ComponentProps<typeof Button>, 'kind' | 'type' | 'onClick'>) {
  const [early, setEarly] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setEarly(false), SECOND_TAP_MS)
    return () => clearTimeout(timer)
  }, [])
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
