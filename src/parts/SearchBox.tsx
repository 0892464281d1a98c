'use no memo' // Rendered rarely: memoizing it costs more bytes than it saves work.

import { useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Clock from 'lucide-react/icons/clock'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'
import {
  BOTTOM_NAV_MAX_PX,
  SEARCH_MAX,
  SUGGEST_DEBOUNCE_MS,
  SUGGEST_MIN,
  SUGGESTIONS,
} from '#schema/limits'
import { useLiveQuery } from '../data/read.ts'
import { useTranslate } from '../locales/translate.ts'
import type { Icon } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { useMedia } from '../ui/media.ts'
import { categories, categoryOf, resolveCategory } from './categories.ts'
import { Price } from './Price.tsx'
import { recentSearches, rememberSearch } from './recent.ts'
import css from './SearchBox.module.css'

/** [S2.24, S2.32]. */
export function SearchBox() {
  const { t } = useLingui()
  const translate = useTranslate()
  const navigate = useNavigate()
  const { search: asked = '', category: of = '' } = useSearch({ strict: false })
  const wide = useMedia(`(min-width: ${BOTTOM_NAV_MAX_PX + 1}px)`)
  const id = useId()
  const [text, setText] = useState(asked)
  const [shown, setShown] = useState(false)
  const [at, setAt] = useState(-1)
  const [chosen, setChosen] = useState<string | null>(null)
  const category = chosen ?? resolveCategory(of) ?? ''

  // The box follows the list's query, also after going back.
  const [seen, setSeen] = useState({ asked, of })
  if (seen.asked !== asked || seen.of !== of) {
    setSeen({ asked, of })
    setChosen(null)
    if (seen.asked !== asked) setText(asked)
  }

  const scope = translate(categoryOf(category)?.short)

  function close(): void {
    setShown(false)
    setAt(-1)
  }

  function look(query: string, everywhere = false): void {
    const search = query.trim().slice(0, SEARCH_MAX)
    setText(search)
    close()
    if (search !== '') rememberSearch(search)
    void navigate({
      to: '/listings',
      search: {
        ...(category !== '' && !everywhere && { category }),
        ...(search !== '' && { search }),
      },
    })
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    const option = options[at]
    if (option) option.choose()
    else look(text)
  }

  function keys(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // The browser's Escape would clear the box; here it only closes the list.
      if (open) event.preventDefault()
      return close()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || options.length === 0) return
    event.preventDefault()
    setShown(true)
    setAt(at + step >= options.length ? -1 : Math.max(-1, at + step))
  }

  const { recent, elsewhere, found } = useSuggested(shown, text, category)
  const options: readonly Option[] = [
    ...recent.map((one) => ({ key: one, icon: Clock, text: one, choose: () => look(one) })),
    ...(elsewhere
      ? [
          {
            key: 'everywhere',
            icon: Search,
            text: t`Chercher dans toutes les catégories`,
            choose: () => look(text, true),
          },
        ]
      : []),
    ...found.map(({ id, title, price, category }) => ({
      key: id,
      icon: Search,
      text: title,
      price: <Price price={price} category={category} />,
      choose: () => {
        close()
        void navigate({ to: '/listings/$listingId', params: { listingId: id } })
      },
    })),
  ]
  const open = options.length > 0
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- leaving the form closes it
    <form
      role="search"
      action="/listings"
      className={css.form}
      onSubmit={submit}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      {wide && (
        <select
          name="category"
          aria-label={t`Catégorie`}
          className={css.category}
          value={category}
          onChange={(event) => setChosen(event.target.value)}
        >
          <option value="">{t`Toutes`}</option>
          {categories.map((one) => (
            <option key={one.slug} value={one.slug}>
              {translate(one.name)}
            </option>
          ))}
        </select>
      )}
      <span className={css.line}>
        <input
          type="search"
          name="search"
          aria-label={t`Rechercher une annonce`}
          placeholder={scope !== undefined && !wide ? t`Dans ${scope}` : t`Rechercher`}
          className={css.box}
          value={text}
          maxLength={SEARCH_MAX}
          enterKeyHint="search"
          autoComplete="off"
          aria-autocomplete="list"
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
          onFocus={() => setShown(true)}
          onChange={(event) => {
            setText(event.target.value)
            setShown(true)
            setAt(-1)
          }}
          onKeyDown={keys}
        />
        {text !== '' && (
          <button
            type="button"
            aria-label={t`Effacer la recherche`}
            className={css.clear}
            onClick={(event) => {
              setText('')
              event.currentTarget.form?.querySelector('input')?.focus()
            }}
          >
            <X />
          </button>
        )}
        <button type="submit" aria-label={t`Lancer la recherche`} className={css.go}>
          <Search />
        </button>
      </span>
      {open && (
        <ul id={`${id}-list`} role="listbox" aria-label={t`Suggestions`} className={css.list}>
          {options.map(({ key, icon: Sign, text, price, choose }, index) => (
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
              <Sign />
              <span dir="auto" className={css.text}>
                {text}
              </span>
              {price && <span className={css.price}>{price}</span>}
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

interface Option {
  key: string
  icon: Icon
  text: string
  price?: ReactNode
  choose: () => void
}

/** Recent searches without a text; else, from some letters on, listings. */
function useSuggested(shown: boolean, text: string, category: string) {
  const typed = text.trim()
  const still = useStill(typed)
  const wanted =
    shown && Array.from(still).length >= SUGGEST_MIN && Array.from(typed).length >= SUGGEST_MIN
  const { rows } = useLiveQuery('listings.suggested', {
    search: wanted ? still : '',
    category: category === '' ? null : category,
  })
  return {
    recent: shown && typed === '' ? recentSearches() : [],
    elsewhere: shown && typed !== '' && category !== '',
    found: wanted ? rows.slice(0, SUGGESTIONS) : [],
  }
}

/** The debounced value [S9.23]. */
function useStill(value: string): string {
  const [still, setStill] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), SUGGEST_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return still
}
