import { useLingui } from '@lingui/react/macro'
import type { ListingDocument } from '#schema/disk/documents'
import { useLiveQuery } from '../../data/read.ts'
import { useTranslate } from '../../locales/format.ts'
import { useAnswers, useSpecs } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Fold, type ListingProps, Part } from './Part.tsx'
import css from './Specs.module.css'
import { specLines } from './specLines.ts'

const FOLDED = 3
const GHOSTS = ['1', '2', '3', '4']
const NBSP = '\u00a0'

/** `coming`: names and order are not known yet. */
function useSpecLines(listing: ListingDocument) {
  const { status } = useLiveQuery('catalogue.specs', {})
  const all = useSpecs()
  const catalogue = all.find((one) => one.category === listing.category)
  const answers = useAnswers(listing.category)
  const specs = listing.more?.specs ?? {}
  const line = (name: string) => {
    const value = answers.value(name, specs)
    return value === undefined ? [] : [{ name, label: answers.label(name), value }]
  }
  const { keys, others } = specLines(
    Object.keys(specs),
    catalogue?.fields ?? [],
    catalogue?.card_specs ?? [],
  )
  return {
    keys: keys.flatMap(line),
    others: others.flatMap(line),
    coming: listing.more === null || (all.length === 0 && status === 'loading'),
  }
}

export function KeySpecs({ listing }: ListingProps) {
  const { t } = useLingui()
  const { keys, coming } = useSpecLines(listing)
  if (listing.more !== null && keys.length === 0) return null
  return (
    <section aria-label={t`En bref`} aria-busy={coming} className={css.brief}>
      <dl className={css.keys}>
        {coming && listing.more === null && GHOSTS.map((name) => <Ghost key={name} />)}
        {keys.map(({ name, label, value }) =>
          coming ? (
            <Ghost key={name} />
          ) : (
            <div key={name} className={css.key}>
              <dt>{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}

function Ghost() {
  return (
    <div className={css.key}>
      <dt>{NBSP}</dt>
      <dd>{NBSP}</dd>
    </div>
  )
}

export function Specs({ listing }: ListingProps) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { others, coming } = useSpecLines(listing)
  if (coming) return <Skeleton shape="block" />
  const category = categoryOf(listing.category)
  const lines = [
    {
      name: '',
      label: t`Catégorie`,
      value: category ? translate(category.name) : listing.category,
    },
    ...others,
  ]
  return (
    <Part title={t`Caractéristiques`}>
      {/* A fold that saves one line costs more than it saves. */}
      <Fold
        folds={lines.length > FOLDED + 1}
        more={t`Toutes les caractéristiques`}
        className={css.more}
      >
        {(folded) => (
          <dl className={classes(css.table, folded && css.folded)}>
            {lines.map(({ name, label, value }) => (
              <div key={name} className={css.line}>
                <dt>{label}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Fold>
    </Part>
  )
}
