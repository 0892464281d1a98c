import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Chip } from '../../ui/Chip.tsx'
import css from './FilterBar.module.css'
import { useFilterLabels } from './filterLabels.ts'

interface Chosen {
  chips: readonly (readonly [string, string])[]
  onRemove: (name: string, row: HTMLElement | null) => void
}

export function ChosenFilters({ chips, onRemove }: Chosen): ReactNode {
  const { t } = useLingui()
  const labelOf = useFilterLabels(chips.find(([name]) => name === 'category')?.[1])
  return (
    <div className={css.chosen} role="group" aria-label={t`Filtres choisis`}>
      {chips.map(([name, value]) => {
        const label = labelOf(name, value)
        return (
          <Chip
            key={name}
            removable
            pressed
            aria-label={t`Retirer le filtre ${label}`}
            onClick={({ currentTarget }) => onRemove(name, currentTarget.parentElement)}
          >
            {label}
          </Chip>
        )
      })}
    </div>
  )
}
