import { useLingui } from '@lingui/react/macro'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { ListSkeleton } from '../../parts/GrowingList.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { NoResult as Drawing } from '../../parts/drawings/lazyDrawings.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SaveSearchButton } from '../saved/SaveSearch.tsx'
import { useFilterLabels } from './filterLabels.ts'
import { changed, type Filtered } from './filterParams.ts'
import css from './NoResult.module.css'

/** Each count is a request. */
const COUNTED = 4

/** [S13.57]: the search can be saved, then widened. */
export function NoResult({
  filters,
  exact,
  onChange,
}: Filtered & {
  /** The text is searched as it was typed. */
  exact: boolean
}) {
  const { t } = useLingui()
  const { search = '', category = null } = filters
  const { facts, status } = useLiveQuery('searches.suggested', {
    search: exact ? '' : search,
    category,
  })
  const names = Object.keys(filters).filter((name) => name !== 'ordering')
  const removable = names.filter((name) => name !== 'search' || names.length > 1)
  // Another spelling, if there is one, replaces this screen.
  if (!exact && search !== '' && (status === 'loading' || facts?.suggestions?.corrected))
    return <ListSkeleton count={6} />
  return (
    <div className={css.none}>
      <Empty
        drawing={<Drawing />}
        title={t`Aucune annonce ne correspond.`}
        text={t`Enregistrez la recherche : vous recevrez une alerte dès qu’une annonce correspond.`}
        action={
          <>
            <SaveSearchButton filters={filters} />
            {names.length > 1 && (
              <div className={css.wider} role="group" aria-label={t`Élargir la recherche`}>
                <p>{t`Ou élargissez la recherche :`}</p>
                <div className={css.chips}>
                  {removable.map((name, at) => (
                    <Without
                      key={name}
                      name={name}
                      filters={filters}
                      isCounted={at < COUNTED}
                      onChange={onChange}
                    />
                  ))}
                </div>
              </div>
            )}
            <ButtonLink to="/listings" search={{}} kind="quiet">
              {t`Voir toutes les annonces`}
            </ButtonLink>
          </>
        }
      />
    </div>
  )
}

function Without({
  name,
  filters,
  isCounted,
  onChange,
}: Filtered & { name: string; isCounted: boolean }) {
  const { t } = useLingui()
  const format = useFormat()
  const labelOf = useFilterLabels(filters['category'])
  const wider = changed(filters, { [name]: null })
  const { facts } = useLiveQuery('listings.facets', { filters: isCounted ? wider : {} })
  const facets = isCounted ? (facts?.facets ?? null) : null
  const label = labelOf(name, filters[name] ?? '')
  return (
    <Chip removable onClick={() => onChange(wider)}>
      {t`Sans « ${label} »`}
      {facets !== null && ` (${format.countText(facets.count, facets.count_is_exact)})`}
    </Chip>
  )
}
