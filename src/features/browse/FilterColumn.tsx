import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { useLiveQuery } from '../../data/read.ts'
import { useListKeys } from '../../parts/listKeys.ts'
import { Button } from '../../ui/Button.tsx'
import css from './FilterColumn.module.css'
import { FilterFields } from './FilterFields.tsx'
import { type Change, changed, type Filtered, isHeld } from './filterParams.ts'
import { after } from '../../ui/effects.ts'

/** Typed numbers are applied when they rest. */
const TYPED_MS = 500

/** [S13.55]: in a wide window, each choice changes the list at once. */
export function FilterColumn({ filters, onChange }: Filtered) {
  const { t } = useLingui()
  const list = JSON.stringify(filters)
  const [{ chosen, of, delay }, choose] = useState({ chosen: filters, of: list, delay: 0 })
  if (of !== list) choose({ chosen: filters, of: list, delay: 0 })
  const { facts } = useLiveQuery('listings.facets', { filters: chosen })
  const apply = useRef(onChange)
  useEffect(() => {
    apply.current = onChange
  })
  useEffect(() => {
    if (JSON.stringify(chosen) === of || !isHeld(chosen)) return undefined
    return after(delay, () => apply.current(chosen))
  }, [chosen, of, delay])
  useListKeys()

  function set(change: Change) {
    const isTyped =
      document.activeElement instanceof HTMLInputElement &&
      document.activeElement.inputMode === 'numeric'
    choose({ chosen: changed(chosen, change), of, delay: isTyped ? TYPED_MS : 0 })
  }

  const { search, ordering } = filters
  const rest = {
    ...(search !== undefined && { search }),
    ...(ordering !== undefined && { ordering }),
  }
  return (
    <aside className={css.column} aria-label={t`Filtres`}>
      <header className="headline">
        <h2 className={css.title}>{t`Filtres`}</h2>
        {Object.keys(filters).length > Object.keys(rest).length && (
          <Button kind="quiet" onClick={() => onChange(rest)}>{t`Tout effacer`}</Button>
        )}
      </header>
      <FilterFields chosen={chosen} set={set} facets={facts?.facets ?? null} />
    </aside>
  )
}
