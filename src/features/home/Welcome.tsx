import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { keep, stored } from '../../data/session.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import css from './About.module.css'

/** [S3.20]: shown once per device. */
const SHOWN = 'welcome_shown'

/** Appears late, below the lists, where it shifts nothing in view. */
export function Welcome() {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  // In an effect: server-rendered HTML never contains it.
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOpen(stored(SHOWN) === null), 0)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    const element = place.current
    if (!open || !element) return undefined
    const watcher = new IntersectionObserver(
      (sights) => sights.some(({ isIntersecting }) => isIntersecting) && keep('local', SHOWN, '1'),
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [open])
  if (!open) return null
  return (
    <div ref={place} data-passing="" className={css.welcome}>
      <Banner
        title={t`Bienvenue`}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{t`Compris`}</Button>
            <ButtonLink kind="main" to="/help">
              {t`Aide`}
            </ButtonLink>
          </>
        }
      >
        <Trans>Cherchez près de chez vous, discutez en sécurité et vendez même sans réseau.</Trans>
      </Banner>
    </div>
  )
}
