import { useLingui } from '@lingui/react/macro'
import type { ListingDocument } from '#schema/disk/documents'
import { useTranslate } from '../../locales/translate.ts'
import { useAnswers, useSpecFields } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './Specs.module.css'

export function Specs({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const fields = useSpecFields(listing.category)
  const answers = useAnswers(listing.category)
  const specs = listing.more?.specs
  if (!specs) return <Skeleton shape="block" />
  // In the form's order; answers to unknown questions last.
  const names = new Set([...fields.map(({ name }) => name), ...Object.keys(specs)])
  const category = categoryOf(listing.category)
  return (
    <section className={css.specs} aria-label={t`Caractéristiques`}>
      <h2>{t`Caractéristiques`}</h2>
      <dl>
        <Line name={t`Catégorie`} value={category ? translate(category.name) : listing.category} />
        {[...names].map((name) => {
          const value = answers.value(name, specs)
          return value !== undefined && <Line key={name} name={answers.label(name)} value={value} />
        })}
      </dl>
    </section>
  )
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div className={css.line}>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  )
}
