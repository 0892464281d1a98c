'use no memo' // Rendered rarely: memoizing it costs more bytes than it saves work.

import { useLingui } from '@lingui/react/macro'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import List from 'lucide-react/icons/list'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useDeferredValue, useRef, useState } from 'react'
import { useView } from '../../parts/view.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { type Address, changed } from './filterParams.ts'
import css from './FilterBar.module.css'
import { lazyNamed, lazyOptional } from '../../ui/lazy.tsx'

const KeepSearch = lazyNamed(() => import('../saved/KeepSearch.tsx'), 'KeepSearch')
/** If the chunk is missing offline, the list and the filter sheet still work. */
const ChosenFilters = lazyOptional(() => import('./ChosenFilters.tsx'), 'ChosenFilters')
const FilterSheet = lazyNamed(() => import('./FilterSheet.tsx'), 'FilterSheet')

interface Props {
  filters: Address
  onChange: (filters: Address) => void
  seller?: string
}

export function FilterBar({ filters, onChange, seller }: Props) {
  const { t } = useLingui()
  const [view, setView] = useView()
  const [open, setOpen] = useState(false)
  const sheet = useDeferredValue(open)
  const chips = Object.entries(filters).filter(([name]) => name !== 'ordering' && name !== 'search')
  const [keeping, setKeeping] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  function remove(name: string, row: HTMLElement | null): void {
    const kept = changed(filters, { [name]: null })
    const at = chips.findIndex(([one]) => one === name)
    const next = [...chips.slice(at), ...chips].find(([one]) => one in kept)
    const target = next ? row?.children[chips.indexOf(next)] : button.current
    if (target instanceof HTMLElement) target.focus()
    onChange(kept)
  }

  return (
    <div className={css.bar}>
      <div className="row">
        <Button
          ref={button}
          icon={SlidersHorizontal}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          {t`Filtrer`}
          {chips.length > 0 && ` (${chips.length})`}
        </Button>
        <select
          aria-label={t`Trier`}
          className={css.order}
          value={filters['ordering'] ?? ''}
          onChange={(event) => onChange(changed(filters, { ordering: event.target.value }))}
        >
          <option value="">
            {filters['search'] === undefined ? t`Plus récentes` : t`Pertinence`}
          </option>
          {filters['search'] !== undefined && (
            <option value="-posted_at">{t`Plus récentes`}</option>
          )}
          <option value="price">{t`Prix croissant`}</option>
          <option value="-price">{t`Prix décroissant`}</option>
          <option value="-views_total">{t`Plus vues`}</option>
          <option value="posted_at">{t`Plus anciennes`}</option>
          {filters['near'] !== undefined && <option value="distance">{t`Plus proches`}</option>}
        </select>
        <IconButton
          label={view === 'grid' ? t`Vue compacte` : t`Vue en grille`}
          icon={view === 'grid' ? List : LayoutGrid}
          className={css.view}
          onClick={() => setView(view === 'grid' ? 'compact' : 'grid')}
        />
      </div>
      {(chips.length > 0 || filters['search'] !== undefined) && (
        <div className={chipRow}>
          {chips.length > 0 && <ChosenFilters chips={chips} onRemove={remove} />}
          {filters['search'] !== undefined && filters['category'] !== undefined && (
            <Chip
              onClick={() => onChange(changed(filters, { category: null }))}
            >{t`Chercher dans toutes les catégories`}</Chip>
          )}
          {seller === undefined && (
            <Chip onClick={() => setKeeping(true)}>{t`Garder cette recherche`}</Chip>
          )}
        </div>
      )}
      {keeping && <KeepSearch filters={filters} onClose={() => setKeeping(false)} />}
      {open && sheet && (
        <FilterSheet
          filters={filters}
          onClose={() => setOpen(false)}
          onChange={onChange}
          seller={seller}
        />
      )}
    </div>
  )
}
