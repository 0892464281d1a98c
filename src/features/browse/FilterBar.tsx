'use no memo'

import { useLingui } from '@lingui/react/macro'
import { LayoutGrid, List, SlidersHorizontal } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import { useView } from '../../parts/view.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { changed, type Filtered } from './filterParams.ts'
import css from './FilterBar.module.css'
import { lazyNamed, lazyOptional } from '../../ui/lazy.tsx'

const FilterChips = lazyOptional(
  () => import('./FilterChips.tsx'),
  'FilterChips',
  <div className={css.line} />,
)
const FilterSheet = lazyNamed(() => import('./FilterSheet.tsx'), 'FilterSheet')

export function FilterBar({ filters, onChange, seller }: Filtered & { seller?: string }) {
  const { t } = useLingui()
  const [view, setView] = useView()
  const [open, setOpen] = useState(false)
  const sheet = useDeferredValue(open)
  const names = Object.keys(filters).filter((name) => name !== 'ordering')
  const count = names.filter((name) => name !== 'search').length
  const button = useRef<HTMLButtonElement>(null)

  return (
    <div className={classes(css.bar, seller === undefined && css.beside)}>
      <div className={css.row}>
        <Button
          ref={button}
          className={css.filter}
          icon={SlidersHorizontal}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          {t`Filtrer`}
          {count > 0 && ` (${count})`}
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
      {names.length > 0 && (
        <FilterChips
          filters={filters}
          quick={seller === undefined}
          button={button}
          onChange={onChange}
        />
      )}
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
