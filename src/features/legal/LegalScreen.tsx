import { Trans, useLingui } from '@lingui/react/macro'
import privacy from 'virtual:texts/privacy'
import terms from 'virtual:texts/terms'
import { operator, useOperatorText } from '../../parts/operator.ts'
import { useFormat } from '../../locales/format.ts'
import { Page, Section } from '../../parts/Page.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** [S2.21]. */
export function TermsScreen() {
  const { t } = useLingui()
  return <Legal title={t`Conditions d’utilisation`} text={terms} />
}

export function PrivacyScreen() {
  const { t } = useLingui()
  return <Legal title={t`Confidentialité`} text={privacy} />
}

function Legal({ title, text }: { title: string; text: typeof terms }) {
  const { t } = useLingui()
  const { language, day } = useFormat()
  const updated = day(Date.parse(text.updated))
  const fill = useOperatorText()
  return (
    <Page title={title}>
      <p className="quiet">
        <Trans>Mis à jour le {updated}</Trans>
      </p>
      {operator().name === null && (
        <Notice tone="wait">
          {t`Le nom de l’exploitant de ce marché n’est pas encore donné ici. \
Demandez-le avant de confier des données importantes.`}
        </Notice>
      )}
      {text.sections.map((section) => (
        <Section key={section.id} id={section.id} title={section.title[language]}>
          {section.paragraphs[language].map((paragraph) => (
            <p key={paragraph}>{fill(paragraph)}</p>
          ))}
        </Section>
      ))}
    </Page>
  )
}
