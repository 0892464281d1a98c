'use no memo'

import { useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { BOTTOM_NAV_MAX_PX, SEARCH_MAX } from '#schema/limits'
import { useTranslate } from '../locales/format.ts'
import { lazyOptional } from '../ui/lazy.tsx'
import { useMedia } from '../ui/media.ts'
import { categories, categoryOf, resolveCategory } from './categories.ts'
import { rememberSearch } from './recent.ts'
import css from './SearchBox.module.css'
import type { SuggestionKeys } from './SearchSuggestions.tsx'

const SearchSuggestions = lazyOptional(() => import('./SearchSuggestions.tsx'), 'SearchSuggestions')

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
  /** Id of the option that has the keys; '': none; null: there are no options. */
  const [active, setActive] = useState<string | null>(null)
  const list = useRef<SuggestionKeys>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const category = chosen ?? resolveCategory(of) ?? ''

  // Follows the list's query, also after going back.
  const [seen, setSeen] = useState({ asked, of })
  if (seen.asked !== asked || seen.of !== of) {
    setSeen({ asked, of })
    setChosen(null)
    if (seen.asked !== asked) setText(asked)
  }

  const scope = translate(categoryOf(category)?.short)
  const close = () => setShown(false)

  function look(query: string, within = category) {
    const search = query.trim().slice(0, SEARCH_MAX)
    setText(search)
    close()
    if (search !== '') rememberSearch(search)
    void navigate({
      to: '/listings',
      search: { ...(within !== '' && { category: within }), ...(search !== '' && { search }) },
    })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!active || !list.current?.choose()) look(text)
  }

  function keys(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      // The browser would clear the box.
      if (active !== null) event.preventDefault()
      return close()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    setShown(true)
    if (active === null) return
    event.preventDefault()
    list.current?.move(step)
  }

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
          aria-controls={active === null ? undefined : id}
          aria-activedescendant={active || undefined}
          onFocus={() => setShown(true)}
          onChange={(event) => {
            setText(event.target.value)
            setShown(true)
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
      {shown && (
        <SearchSuggestions
          ref={list}
          id={id}
          text={text}
          category={category}
          onActive={setActive}
          onClose={close}
          onLook={look}
        />
      )}
    </form>
  )
}
