import { Plural, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FilterFields } from './FilterFields.tsx'
import { type Change, changed, type Filtered, isHeld } from './filterParams.ts'

/** The list changes only on "Voir". */
export function FilterSheet({
  filters,
  onClose,
  onChange,
  seller,
}: Filtered & { onClose: () => void; seller: string | undefined }) {
  const { t } = useLingui()
  const format = useFormat()
  const [chosen, setChosen] = useState(filters)
  // Going back changes the list: the choices would be those of the previous one.
  const list = JSON.stringify(filters)
  const [over] = useState(list)
  useEffect(() => {
    if (list !== over) onClose()
  })
  const { facts } = useLiveQuery('listings.facets', {
    filters: seller === undefined ? chosen : { ...chosen, seller },
  })
  const facets = facts?.facets ?? null
  const shown = facets ? format.countText(facets.count, facets.count_is_exact) : ''
  const set = (change: Change) => setChosen(changed(chosen, change))
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Filtrer`}
      actions={
        <>
          <Button
            onClick={() =>
              setChosen(chosen['search'] === undefined ? {} : { search: chosen['search'] })
            }
          >
            {t`Tout effacer`}
          </Button>
          <Button
            kind="main"
            disabled={!isHeld(chosen)}
            onClick={() => {
              onClose()
              onChange(chosen)
            }}
          >
            {facets?.count_is_exact === false ? (
              t`Voir ${shown} annonces`
            ) : facets ? (
              <Plural
                value={facets.count}
                _0="Aucune annonce"
                one="Voir # annonce"
                other="Voir # annonces"
              />
            ) : (
              t`Voir les annonces`
            )}
          </Button>
        </>
      }
    >
      <FilterFields chosen={chosen} set={set} facets={facets} />
    </Dialog>
  )
}
