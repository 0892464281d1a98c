import { useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Clock, Search } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import {
  BOTTOM_NAV_MAX_PX,
  SEARCH_MAX,
  SUGGEST_DEBOUNCE_MS,
  SUGGEST_MIN,
  SUGGESTIONS,
} from '#schema/limits'
import { useLiveQuery } from '../data/read.ts'
import { useSay } from '../locales/say.ts'
import { classes } from '../ui/classes.ts'
import { useMedia } from '../ui/media.ts'
import { categories, categoryOf, resolveCategory } from './categories.ts'
import { Price } from './Price.tsx'
import { recentSearches, rememberSearch } from './recent.ts'
import css from './SearchBox.module.css'

/** [S2.24, S2.32]. */
export function SearchBox() {
  const { t } = useLingui()
  const say = useSay()
  const navigate = useNavigate()
  const address = useSearch({ strict: false })
  const wide = useMedia(`(min-width: ${BOTTOM_NAV_MAX_PX + 1}px)`)
  const id = useId()
  const asked = word(address, 'search')
  const [text, setText] = useState(asked)
  const [shown, setShown] = useState(false)
  const [at, setAt] = useState(-1)
  const [chosen, setChosen] = useState<string | null>(null)
  const category = chosen ?? resolveCategory(word(address, 'category')) ?? ''

  // The box follows the list's query, also after going back.
  const of = word(address, 'category')
  const [seen, setSeen] = useState({ asked, of })
  if (seen.asked !== asked || seen.of !== of) {
    setSeen({ asked, of })
    setChosen(null)
    if (seen.asked !== asked) setText(asked)
  }

  const options = useOptions(shown, text, category)
  const scope = say(categoryOf(category)?.short)

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

  function choose(option: Option): void {
    if (option.kind === 'recent') return look(option.text)
    if (option.kind === 'everywhere') return look(text, true)
    close()
    void navigate({ to: '/listings/$listingId', params: { listingId: option.id } })
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    const option = options[at]
    if (option) choose(option)
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

  const open = shown && options.length > 0
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
              {say(one.name)}
            </option>
          ))}
        </select>
      )}
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
      <button type="submit" aria-label={t`Lancer la recherche`} className={css.go}>
        <Search />
      </button>
      {open && (
        <ul id={`${id}-list`} role="listbox" aria-label={t`Suggestions`} className={css.list}>
          {options.map((option, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the focused box has the keys
            <li
              key={option.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              className={classes(css.option, index === at && css.at)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              {option.kind === 'recent' ? (
                <>
                  <Clock />
                  <span className={css.text}>{option.text}</span>
                </>
              ) : option.kind === 'everywhere' ? (
                <>
                  <Search />
                  <span className={css.text}>{t`Chercher dans toutes les catégories`}</span>
                </>
              ) : (
                <>
                  <Search />
                  <span dir="auto" className={css.text}>
                    {option.title}
                  </span>
                  <span className={css.price}>
                    <Price price={option.price} category={option.category} />
                  </span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

type Option =
  | { readonly kind: 'everywhere'; readonly key: string }
  | { readonly kind: 'recent'; readonly key: string; readonly text: string }
  | {
      readonly kind: 'listing'
      readonly key: string
      readonly id: string
      readonly title: string
      readonly price: number | null
      readonly category: string
    }

function useOptions(shown: boolean, text: string, category: string): readonly Option[] {
  const typed = text.trim()
  const still = useStill(typed)
  const wanted =
    shown && Array.from(still).length >= SUGGEST_MIN && Array.from(typed).length >= SUGGEST_MIN
  const { rows } = useLiveQuery('listings.suggested', {
    search: wanted ? still : '',
    category: category === '' ? null : category,
  })
  if (!shown) return []
  if (typed === '') return recentSearches().map((one) => ({ kind: 'recent', key: one, text: one }))
  const out: readonly Option[] = category === '' ? [] : [{ kind: 'everywhere', key: 'everywhere' }]
  if (!wanted) return out
  return [
    ...out,
    ...rows.slice(0, SUGGESTIONS).map(({ id, title, price, category: of }) => ({
      kind: 'listing' as const,
      key: id,
      id,
      title,
      price,
      category: of,
    })),
  ]
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

function word(address: Readonly<Record<string, unknown>>, name: string): string {
  const value = address[name]
  return typeof value === 'string' ? value : ''
}
