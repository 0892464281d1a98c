import { Trans, useLingui } from '@lingui/react/macro'
import stats from 'virtual:texts/home_stats'
import steps from 'virtual:texts/how_it_works'
import voices from 'virtual:texts/testimonials'
import { useSay } from '../../locales/say.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import css from './About.module.css'
import { Welcome } from './Welcome.tsx'

/** [S2.33, S1.05]. */
export function About() {
  const { t } = useLingui()
  const say = useSay()
  return (
    <>
      <Welcome />
      <section aria-label={t`Comment ça marche`}>
        <h2>{t`Comment ça marche`}</h2>
        <ol className={css.steps}>
          {steps.map((step) => (
            <li key={step.id}>
              <h3>{say(step.title)}</h3>
              <p>{say(step.body)}</p>
            </li>
          ))}
        </ol>
      </section>
      <dl className={css.stats} aria-label={t`En chiffres`}>
        {stats.map((one) => (
          <div key={one.id}>
            <dt>{say(one.label)}</dt>
            <dd>{one.display}</dd>
          </div>
        ))}
      </dl>
      <section aria-label={t`Ils l’utilisent`}>
        <h2>{t`Ils l’utilisent`}</h2>
        <div className={css.voices}>
          {voices.map((voice) => (
            <figure key={voice.id} className={css.voice}>
              <blockquote>{say(voice.text)}</blockquote>
              <figcaption>{say(voice.role)}</figcaption>
            </figure>
          ))}
        </div>
        <p className={css.note}>
          <Trans>Données de démonstration : annonces et personnes sont inventées.</Trans>
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
