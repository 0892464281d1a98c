import { useLingui } from '@lingui/react/macro'
import type { ReactNode, RefObject } from 'react'
import { useTranslate } from '../../locales/format.ts'
import { usePlaces, useSpecs } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { classes } from '../../ui/classes.ts'
import { type Address, changed, type Filtered, priceSteps } from './filterParams.ts'
import css from './FilterBar.module.css'
import { useFilterLabels } from './filterLabels.ts'

interface Props extends Filtered {
  quick: boolean
  button: RefObject<HTMLButtonElement | null>
}

/** [S13.52, S13.54]: the chosen filters, a tap removes one; then the most usual ones. */
export function FilterChips({ filters, quick, button, onChange }: Props): ReactNode {
  const { t } = useLingui()
  const translate = useTranslate()
  const labels = useFilterLabels(filters['category'])
  const labelOf = (name: string, value: string) =>
    (name === 'category' && translate(categoryOf(value)?.short)) || labels(name, value)
  const offered = useQuickFilters(filters)
  const isOffered = ([name, value]: Chosen) =>
    quick && offered.some(([other, same]) => other === name && same === value)
  const chosen = Object.entries(filters)
    .filter((one) => one[0] !== 'ordering' && one[0] !== 'search' && !isOffered(one))
    .toSorted(([a], [b]) => Number(b === 'category') - Number(a === 'category'))

  function remove(name: string, row: HTMLElement | null) {
    const kept = changed(filters, { [name]: null })
    const at = chosen.findIndex(([one]) => one === name)
    const next = [...chosen.slice(at), ...chosen].find(([one]) => one in kept)
    const target = next ? row?.children[chosen.indexOf(next)] : button.current
    if (target instanceof HTMLElement) target.focus()
    onChange(kept)
  }

  return (
    <div className={classes(chipRow, css.line)} role="group" aria-label={t`Filtres`}>
      {chosen.map(([name, value]) => {
        const within = labelOf(name, value)
        const isScope = name === 'category' && filters['search'] !== undefined
        const label = isScope ? t`dans ${within}` : within
        return (
          <Chip
            key={name}
            removable
            pressed
            aria-label={t`Retirer le filtre ${label}`}
            onClick={({ currentTarget }) => remove(name, currentTarget.parentElement)}
          >
            {label}
          </Chip>
        )
      })}
      {quick &&
        offered.map(([name, value]) => {
          const label = labelOf(name, value)
          const on = filters[name] === value
          return (
            <Chip
              key={`${name} ${value}`}
              removable={on}
              pressed={on}
              aria-label={on ? t`Retirer le filtre ${label}` : label}
              onClick={() => onChange(changed(filters, { [name]: on ? null : value }))}
            >
              {label}
            </Chip>
          )
        })}
    </div>
  )
}

type Chosen = readonly [name: string, value: string]

/** From the middle of the category's. */
const PRICES = 3
const TOWNS = 2

/** A tap replaces another value of the same filter. */
function useQuickFilters({ category, region }: Address) {
  const specs = useSpecs().find((one) => one.category === category)
  const places = usePlaces()
  const towns = (places?.popular ?? []).filter(
    (slug) =>
      region === undefined ||
      places?.towns.some((one) => one.slug === slug && one.region === region),
  )
  const states = specs?.fields.find(({ name }) => name === 'condition')?.options ?? []
  const prices = priceSteps(specs?.price.buckets ?? [])
  const middle = Math.max(0, Math.floor((prices.length - PRICES) / 2))
  return [
    ...towns.slice(0, TOWNS).map((slug): Chosen => ['town', slug]),
    ...states.map(({ value }): Chosen => ['condition', value]),
    ...prices.slice(middle, middle + PRICES).map((price): Chosen => ['price_max', String(price)]),
  ]
}
