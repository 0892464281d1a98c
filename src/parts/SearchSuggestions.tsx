import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Clock, Search } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useState } from 'react'
import { SUGGEST_DEBOUNCE_MS, SUGGEST_MIN, SUGGESTIONS } from '#schema/limits'
import { useLiveQuery } from '../data/read.ts'
import { useTranslate } from '../locales/format.ts'
import { classes } from '../ui/classes.ts'
import { categoryOf } from './categories.ts'
import { CategoryIcon } from './CategoryIcon.tsx'
import { Price } from './Price.tsx'
import { recentSearches } from './recent.ts'
import css from './SearchSuggestions.module.css'
import { after } from '../ui/effects.ts'

/** The box keeps the focus, so it passes its keys on. */
export interface SuggestionKeys {
  move(step: 1 | -1): void
  /** false: none is active. */
  choose(): boolean
}

interface Props {
  ref: Ref<SuggestionKeys>
  id: string
  text: string
  category: string
  /** Id of the active option; '': none; null: there are no options. */
  onActive: (id: string | null) => void
  onClose: () => void
  onLook: (search: string, category?: string) => void
}

interface Option {
  key: string
  sign: ReactNode
  text: string
  within?: string | undefined
  price?: ReactNode
  choose: () => void
}

/** [S2.32] [S13.50] */
export function SearchSuggestions({ ref, id, text, category, onActive, onClose, onLook }: Props) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const translate = useTranslate()
  const [at, setAt] = useState(-1)
  const [typed, setTyped] = useState(text)
  if (typed !== text) {
    setTyped(text)
    setAt(-1)
  }
  const { recent, elsewhere, searches, found } = useSuggested(text, category)
  const options: readonly Option[] = [
    ...recent.map((one) => ({ key: one, sign: <Clock />, text: one, choose: () => onLook(one) })),
    ...elsewhere.map((key) => ({
      key,
      sign: <Search />,
      text: t`Chercher dans toutes les catégories`,
      choose: () => onLook(text, ''),
    })),
    ...searches.map((one) => ({
      key: `${one.search} ${one.category}`,
      sign: <CategoryIcon slug={one.category} />,
      text: one.search,
      within: translate(categoryOf(one.category)?.short),
      choose: () => onLook(one.search, one.category),
    })),
    ...found.map(({ id: listingId, title, price, category: of }) => ({
      key: listingId,
      sign: <Search />,
      text: title,
      price: <Price price={price} category={of} />,
      choose: () => {
        onClose()
        void navigate({ to: '/listings/$listingId', params: { listingId } })
      },
    })),
  ]
  const active = options.length === 0 ? null : at < 0 ? '' : `${id}-${at}`
  useEffect(() => {
    onActive(active)
  }, [active, onActive])
  useEffect(() => () => onActive(null), [onActive])
  useImperativeHandle(ref, () => ({
    move: (step) => setAt(at + step >= options.length ? -1 : Math.max(-1, at + step)),
    choose() {
      const option = options[at]
      option?.choose()
      return option !== undefined
    },
  }))

  if (options.length === 0) return null
  return (
    <ul id={id} role="listbox" aria-label={t`Suggestions`} className={css.list}>
      {options.map(({ key, sign, text: shown, within, price, choose }, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the focused box has the keys
        <li
          key={key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          className={classes(css.option, index === at && css.at)}
          onPointerDown={(event) => event.preventDefault()}
          onClick={choose}
        >
          {sign}
          <span dir="auto" className={css.text}>
            {within === undefined ? (
              shown
            ) : (
              <>
                <b>{shown}</b> <span className={css.within}>{t`dans ${within}`}</span>
              </>
            )}
          </span>
          {price !== undefined && <span className={css.price}>{price}</span>}
        </li>
      ))}
    </ul>
  )
}

function useSuggested(text: string, category: string) {
  const typed = text.trim()
  const still = useStill(typed)
  const wanted = Array.from(still).length >= SUGGEST_MIN && Array.from(typed).length >= SUGGEST_MIN
  const params = { search: wanted ? still : '', category: category === '' ? null : category }
  const { rows } = useLiveQuery('listings.suggested', params)
  const { facts } = useLiveQuery('searches.suggested', params)
  const searches = (wanted && facts?.suggestions?.results) || []
  return {
    recent: typed === '' ? recentSearches() : [],
    elsewhere: typed !== '' && category !== '' ? ['everywhere'] : [],
    searches,
    found: wanted ? rows.slice(0, SUGGESTIONS - searches.length) : [],
  }
}

/** The debounced value [S9.23]. */
function useStill(value: string) {
  const [still, setStill] = useState(value)
  useEffect(() => after(SUGGEST_DEBOUNCE_MS, () => setStill(value)), [value])
  return still
}
