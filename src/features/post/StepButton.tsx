import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'

/** A finger that taps twice on "Continuer" must not press what comes to stand under it: the next step's, and at the end "Publier". */
const SECOND_TAP_MS = 350

/** Goes on from a step, once the step has stood for a moment. */
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
      // Not `disabled`: it would look so for that moment.
      aria-disabled={early || undefined}
      onClick={(event) => {
        if (early) event.preventDefault()
      }}
    />
  )
}
