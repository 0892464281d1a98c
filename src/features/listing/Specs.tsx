import { useLingui } from '@lingui/react/macro'
import type { ListingDocument } from '#schema/disk/documents'
import type { SpecField } from '#schema/wire/catalogue'
import { useFormat } from '../../locales/format.ts'
import { useSay } from '../../locales/say.ts'
import { useSpecFields } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './Specs.module.css'

export function Specs({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const say = useSay()
  const fields = useSpecFields(listing.category)
  const value = useValue()
  const specs = listing.more?.specs
  if (!specs) return <Skeleton shape="block" />
  const known = fields.filter((field) => specs[field.name] !== undefined)
  const unknown = Object.keys(specs).filter((name) => !fields.some((field) => field.name === name))
  const category = categoryOf(listing.category)
  return (
    <section className={css.specs} aria-label={t`Caractéristiques`}>
      <h2>{t`Caractéristiques`}</h2>
      <dl>
        <Line name={t`Catégorie`} value={category ? say(category.name) : listing.category} />
        {known.map((field) => (
          <Line key={field.name} name={say(field.label)} value={value(field, specs[field.name])} />
        ))}
        {unknown.map((name) => (
          <Line key={name} name={name} value={String(specs[name])} />
        ))}
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

function useValue() {
  const { t } = useLingui()
  const say = useSay()
  const { number, decimal } = useFormat()
  return (field: SpecField, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t`Oui` : t`Non`
    const option = field.options?.find((one) => one.value === value)
    if (option) return say(option.label)
    // Years have no thousands separator.
    const text =
      typeof value === 'number' && !/year/.test(field.name) ? number(value) : String(value)
    return field.unit ? `${decimal(text)}\u00a0${say(field.unit)}` : text
  }
}
