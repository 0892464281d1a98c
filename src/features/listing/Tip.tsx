import { useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import safety from 'virtual:texts/safety'
import { useTranslate } from '../../locales/format.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './Part.module.css'

export function Tip({ category }: { category: string }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const tip = safety.find((one) => one.categories?.includes(category) === true) ?? safety[0]
  if (!tip) return null
  return (
    <section className={css.part} aria-label={t`Conseil de sécurité`}>
      <Notice
        icon={ShieldCheck}
        action={
          <ButtonLink kind="quiet" to="/help" hash="safety">
            {t`Tous les conseils`}
          </ButtonLink>
        }
      >
        <strong>{translate(tip.title)}</strong>
        <p>{translate(tip.body)}</p>
      </Notice>
    </section>
  )
}
