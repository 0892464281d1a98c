import { useLingui } from '@lingui/react/macro'
import stats from 'virtual:texts/home_stats'
import steps from 'virtual:texts/how_it_works'
import voices from 'virtual:texts/testimonials'
import { useTranslate } from '../../locales/format.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import css from './About.module.css'
import { useEffect, useRef, useState } from 'react'
import { keep, stored } from '../../data/session.ts'
import { Banner } from '../../ui/Banner.tsx'
import { after, observeSight } from '../../ui/effects.ts'

/** [S2.33, S1.05]. */
export function About() {
  const { t } = useLingui()
  const translate = useTranslate()
  return (
    <>
      <Welcome />
      <section aria-label={t`Comment ça marche`}>
        <h2>{t`Comment ça marche`}</h2>
        <ol className={css.steps}>
          {steps.map((step) => (
            <li key={step.id} className="card">
              <h3>{translate(step.title)}</h3>
              <p>{translate(step.body)}</p>
            </li>
          ))}
        </ol>
      </section>
      <dl className={css.stats} aria-label={t`En chiffres`}>
        {stats.map((one) => (
          <div key={one.id}>
            <dt>{translate(one.label)}</dt>
            <dd>{one.display}</dd>
          </div>
        ))}
      </dl>
      <section aria-label={t`Ils l’utilisent`}>
        <h2>{t`Ils l’utilisent`}</h2>
        <div className={css.voices}>
          {voices.map((voice) => (
            <figure key={voice.id} className={classes('card', css.voice)}>
              <blockquote>{translate(voice.text)}</blockquote>
              <figcaption>{translate(voice.role)}</figcaption>
            </figure>
          ))}
        </div>
        <p className={css.note}>
          {t`Données de démonstration : annonces et personnes sont inventées.`}
        </p>
      </section>
      <p className={css.post}>
        <ButtonLink to="/create-listing" kind="main">
          {t`Publier une annonce gratuite`}
        </ButtonLink>
        <span className={css.note}>{t`Assistance en français, en mooré et en dioula`}</span>
      </p>
    </>
  )
}

/** [S3.20]: shown once per device. */
const SHOWN = 'welcome_shown'

/** Appears late, below the lists: shifts nothing in view. */
function Welcome() {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  // In an effect: never in server-rendered HTML.
  const [open, setOpen] = useState(false)
  useEffect(() => after(0, () => setOpen(stored(SHOWN) === null)), [])
  useEffect(() => {
    const element = place.current
    if (!open || !element) return undefined
    return observeSight(element, (inSight) => inSight && keep('local', SHOWN, '1'))
  }, [open])
  if (!open) return null
  return (
    <div ref={place}>
      <Banner
        title={t`Bienvenue`}
        actions={
          <>
            <Button kind="quiet" onClick={() => setOpen(false)}>
              {t`Compris`}
            </Button>
            <ButtonLink to="/help">{t`Aide`}</ButtonLink>
          </>
        }
      >
        {t`Cherchez près de chez vous, discutez en sécurité et vendez même sans réseau.`}
      </Banner>
    </div>
  )
}
