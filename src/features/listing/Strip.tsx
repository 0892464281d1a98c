import { useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import css from './Strip.module.css'

export interface StripHandle {
  go(to: number): void
}

/** `placed`: a change shows photo `at` without scrolling through the others. */
export function Strip({
  count,
  at,
  onMove,
  handle,
  placed,
  still = false,
  whole = false,
  children,
}: {
  count: number
  at: number
  onMove: (at: number) => void
  handle: Ref<StripHandle>
  placed: boolean
  /** An enlarged photo is moved instead of the strip. */
  still?: boolean
  whole?: boolean
  children: ReactNode
}) {
  const { t } = useLingui()
  const strip = useRef<HTMLDivElement>(null)

  function go(to: number) {
    const shown = strip.current
    shown?.scrollTo({
      left: Math.max(0, Math.min(count - 1, to)) * shown.clientWidth,
      behavior: 'smooth',
    })
  }
  useImperativeHandle(handle, () => ({ go }))

  const place = useEffectEvent(() => {
    const shown = strip.current
    if (!shown) return
    shown.scrollLeft = at * shown.clientWidth
    if (shown.contains(document.activeElement))
      shown.children[at]?.querySelector('button')?.focus({ preventScroll: true })
  })
  // Twice: in an opening dialog, the strip has no width before the effects.
  useLayoutEffect(() => {
    if (placed) place()
  }, [placed])
  useEffect(() => {
    if (placed) place()
  }, [placed])

  return (
    <div data-gallery={whole ? undefined : ''} className={classes(css.stage, whole && css.whole)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys swipe */}
      <div
        ref={strip}
        role="group"
        aria-roledescription={t`Galerie`}
        aria-label={t`Photo ${at + 1} sur ${count}`}
        className={classes(css.strip, still && css.still)}
        onKeyDown={
          whole
            ? undefined
            : (event) => {
                const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
                if (step === undefined) return
                event.preventDefault()
                go(at + step)
              }
        }
        onScroll={({ currentTarget }) => {
          const shown = Math.round(currentTarget.scrollLeft / currentTarget.clientWidth)
          if (shown !== at && shown >= 0 && shown < count) onMove(shown)
        }}
      >
        {children}
      </div>
      {count > 1 && (
        <>
          <span className={css.counter} aria-hidden="true">
            {at + 1} / {count}
          </span>
          <IconButton
            label={t`Photo précédente`}
            icon={ChevronLeft}
            aria-disabled={at === 0}
            className={classes(css.arrow, css.before)}
            onClick={() => go(at - 1)}
          />
          <IconButton
            label={t`Photo suivante`}
            icon={ChevronRight}
            aria-disabled={at === count - 1}
            className={classes(css.arrow, css.after)}
            onClick={() => go(at + 1)}
          />
        </>
      )}
    </div>
  )
}
