import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fold } from '#schema/fold'
import faq from 'virtual:texts/faq'
import help from 'virtual:texts/notification_help'
import safety from 'virtual:texts/safety'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { operator } from '../../parts/operator.ts'
import { Page, Section } from '../../parts/Page.tsx'
import { ButtonAnchor, ButtonLink } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import css from './help.module.css'

const topics: readonly (readonly [string, MessageDescriptor])[] = [
  ['start', msg`Pour commencer`],
  ['buy', msg`Acheter`],
  ['sell', msg`Vendre`],
  ['offline', msg`Sans réseau`],
  ['find', msg`Chercher`],
  ['safety', msg`Sécurité`],
  ['app', msg`L’application`],
  ['account', msg`Mon compte`],
]

/** [S2.43] */
export function HelpScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const [wanted, setWanted] = useState('')
  useHash()
  const sought = fold(wanted).trim()
  const found = faq.filter(
    (entry) =>
      sought === '' ||
      fold(`${translate(entry.question)} ${translate(entry.answer)}`).includes(sought),
  )

  return (
    <Page title={t`Aide`}>
      <TextField
        label={t`Chercher dans l’aide`}
        type="search"
        enterKeyHint="search"
        value={wanted}
        onValue={setWanted}
        end={<Search className={css.sign} />}
      />
      {found.length === 0 && (
        <p role="status">{t`Rien ne correspond. Essayez un autre mot, ou écrivez-nous.`}</p>
      )}
      {topics.map(([topic, title]) => {
        const entries = found.filter((entry) => entry.topic === topic)
        if (entries.length === 0) return null
        return (
          <Section key={topic} id={`faq-${topic}`} title={translate(title)}>
            <Answers
              entries={entries.map(({ id, question, answer }) => ({
                id,
                title: question,
                body: answer,
              }))}
              open={sought !== ''}
            />
          </Section>
        )
      })}
      {sought === '' && (
        <>
          <Section id="safety" title={t`Conseils de sécurité`}>
            <Answers entries={safety} />
          </Section>
          <Section id="notifications" title={t`Notifications`}>
            <Answers
              entries={help.map(({ id, ...entry }) => ({ ...entry, id: `notifications-${id}` }))}
            />
            <ButtonLink to="/settings" hash="notifications">
              {t`Paramètres des notifications`}
            </ButtonLink>
          </Section>
          <Section title={t`Installer l’application`}>
            <ButtonLink to="/support/add-to-home">{t`Ajouter à l’écran d’accueil`}</ButtonLink>
          </Section>
        </>
      )}
      <Contact />
    </Page>
  )
}

function Answers({
  entries,
  open = false,
}: {
  entries: readonly Pick<(typeof help)[number], 'id' | 'title' | 'body'>[]
  open?: boolean
}) {
  const translate = useTranslate()
  return (
    <div className="card ruled">
      {entries.map(({ id, title, body }) => (
        <details key={id} id={id} open={open} className={css.answer}>
          <summary>{translate(title)}</summary>
          <p>{translate(body)}</p>
        </details>
      ))}
    </div>
  )
}

function Contact() {
  const { t } = useLingui()
  const { language } = useFormat()
  const { contact } = operator()
  return (
    <Section title={t`Nous écrire`}>
      {contact === null ? (
        <p>{t`Ce marché n’a pas encore d’adresse d’assistance.`}</p>
      ) : (
        <>
          <p>{t`L’assistance répond en français, en mooré et en dioula.`}</p>
          <ButtonAnchor href={`mailto:${contact}`} hrefLang={language}>
            {contact}
          </ButtonAnchor>
        </>
      )}
    </Section>
  )
}

function useHash() {
  const hash = useLocation({ select: (place) => place.hash })
  useEffect(() => {
    if (hash === '') return
    const named = document.getElementById(hash)
    if (named instanceof HTMLDetailsElement) named.open = true
    named?.scrollIntoView()
  }, [hash])
}
