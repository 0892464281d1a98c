import { Plural, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { useTranslate } from '../../locales/translate.ts'
import { categories } from '../../parts/categories.ts'
import { PlaceFields } from '../../parts/PlaceFields.tsx'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Choice, Group, SelectField } from '../../ui/Field.tsx'
import {
  type Address,
  changed,
  counted,
  type FilterProps,
  isHeld,
  toggled,
} from './filterParams.ts'
import css from './FilterSheet.module.css'
import { RangeFields, SpecFields } from './SpecFields.tsx'
import { useFilterLabels } from './filterLabels.ts'

/** All filters with their result counts; the list changes only on "Voir". */
export function FilterSheet({
  filters,
  onClose,
  onChange,
  seller,
}: {
  filters: Address
  onClose: () => void
  onChange: (filters: Address) => void
  seller: string | undefined
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const [chosen, setChosen] = useState(filters)
  const labelOf = useFilterLabels(chosen['category'])
  const { region = '', town = '', neighbourhood = '' } = chosen
  // Going back changes the list under the open sheet, whose choices would be the previous list's.
  const list = JSON.stringify(filters)
  const [over] = useState(list)
  useEffect(() => {
    if (list !== over) onClose()
  })
  const { facts } = useLiveQuery('listings.facets', {
    filters: seller === undefined ? chosen : { ...chosen, seller },
  })
  const facets = facts?.facets ?? null
  const set = (change: Readonly<Record<string, string | null>>): void =>
    setChosen(changed(chosen, change))
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
            {facets ? (
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
      <div className={css.fields}>
        <SelectField
          label={t`Catégorie`}
          none={t`Toutes les catégories`}
          options={categories.map(({ slug, name }) => [
            slug,
            translate(name) + counted(facets?.categories, slug),
          ])}
          value={chosen['category'] ?? ''}
          onValue={(category) => set({ category })}
        />
        <PlaceFields
          place={{ region, town, neighbourhood }}
          none={[t`Tout le Burkina`, t`Toutes les villes`, t`Tous les quartiers`]}
          counted={(list, slug) => counted(facets?.[list], slug)}
          onPlace={(place) => set({ ...place })}
        />
        <PriceFields chosen={chosen} set={set} facets={facets} labelOf={labelOf} />
        {facets !== null && facets.conditions.length > 0 && (
          <Group legend={t`État`}>
            {facets.conditions.map((one) => (
              <Choice
                key={one.value}
                label={labelOf('condition', one.value)}
                note={one.count}
                checked={chosen['condition']?.split(',').includes(one.value) ?? false}
                onChange={() => set({ condition: toggled(chosen['condition'], one.value) })}
              />
            ))}
          </Group>
        )}
        <SpecFields chosen={chosen} set={set} facets={facets} />
        <Group legend={t`Autres`}>
          {['has_images', 'negotiable', 'verified_seller'].map((name) => (
            <Choice
              key={name}
              label={labelOf(name, 'true')}
              checked={chosen[name] === 'true'}
              onChecked={(checked) => set({ [name]: checked ? 'true' : null })}
            />
          ))}
        </Group>
        <SelectField
          label={t`Publiée`}
          none={t`À tout moment`}
          options={[
            ['1', t`Depuis 24 heures`],
            ['7', t`Depuis 7 jours`],
            ['30', t`Depuis 30 jours`],
          ]}
          value={chosen['posted_within'] ?? ''}
          onValue={(posted_within) => set({ posted_within })}
        />
      </div>
    </Dialog>
  )
}

function PriceFields({
  chosen,
  set,
  facets,
  labelOf,
}: FilterProps & { labelOf: ReturnType<typeof useFilterLabels> }) {
  const { t } = useLingui()
  const digits = (text: string): string => text.replace(/\D/g, '').slice(0, 10)
  const buckets = facets?.price.buckets.filter((bucket) => bucket.count > 0) ?? []
  const { number, money } = useFormat()
  return (
    <Group legend={t`Prix (F CFA)`}>
      <RangeFields
        low={chosen['price_min'] ?? ''}
        high={chosen['price_max'] ?? ''}
        onLow={(low) => set({ price_min: digits(low) })}
        onHigh={(high) => set({ price_max: digits(high) })}
      />
      {buckets.length > 0 && (
        <div className={css.chips}>
          {buckets.map((bucket) => {
            const [min, max] = [
              bucket.min === 0 ? null : String(bucket.min),
              bucket.max === null ? null : String(bucket.max),
            ]
            const on =
              (chosen['price_min'] ?? null) === min && (chosen['price_max'] ?? null) === max
            return (
              <Chip
                key={bucket.id}
                pressed={on}
                onClick={() =>
                  set(
                    on ? { price_min: null, price_max: null } : { price_min: min, price_max: max },
                  )
                }
              >
                {min === null
                  ? labelOf('price_max', max ?? '')
                  : max === null
                    ? labelOf('price_min', min)
                    : t`De ${number(bucket.min)} à ${money(Number(max))}`}{' '}
                ({bucket.count})
              </Chip>
            )
          })}
        </div>
      )}
    </Group>
  )
}
