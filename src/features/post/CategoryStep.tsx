'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { aliases } from 'virtual:categories'
import { fold } from '#schema/fold'
import { useTranslate } from '../../locales/format.ts'
import { useSpecs } from '../../parts/catalogue.ts'
import { categories, categoryOf } from '../../parts/categories.ts'
import { CategoryIcon } from '../../parts/CategoryIcons.tsx'
import { Group, TextField } from '../../ui/Field.tsx'
import { FormError } from '../../ui/Form.tsx'
import css from './CategoryStep.module.css'
import type { StepProps } from './form.ts'
import { categoryWords, findCategories } from './findCategories.ts'

/**
 * [S3.03, S13.40]; specs of other categories stay. `onChosen`: by a tap, Space or Enter, not by an
 * arrow key.
 */
export function CategoryStep({
  form,
  set,
  wrong,
  onChosen,
}: StepProps & { onChosen: (slug: string) => void }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const specs = useSpecs()
  const [text, setText] = useState('')
  const arrows = useRef(false)
  const words = useMemo(() => categoryWords(categories, aliases, specs), [specs])
  const found = findCategories(words, text)
  const fault = wrong['category']
  const invalid = fault && { 'aria-invalid': true }

  function choose(slug: string) {
    set({ category: slug })
    onChosen(slug)
  }

  function searchKeys(event: KeyboardEvent) {
    const [first] = found
    if (event.key !== 'Enter' || text.trim() === '' || first === undefined) return
    event.preventDefault()
    choose(first)
  }

  return (
    <>
      <FormError error={fault} />
      {/* Placeholder and heading say the same to the eye. */}
      <div className="unlabelled">
        <TextField
          type="search"
          label={t`Chercher une catégorie`}
          placeholder={t`moto, tel, canapé…`}
          hint={found.length === 0 ? t`Aucune catégorie trouvée. Essayez un autre mot.` : undefined}
          autoComplete="off"
          enterKeyHint="go"
          value={text}
          onValue={setText}
          onKeyDown={searchKeys}
          end={<Search className="field-icon" />}
        />
      </div>
      <Group legend={t`Catégorie`} className={css.tiles}>
        {found.map((slug) => {
          const category = categoryOf(slug)
          const name = translate(category?.name) ?? slug
          return (
            <label key={slug} className={css.tile}>
              <input
                type="radio"
                name="category"
                required
                aria-label={name}
                {...invalid}
                checked={form.category === slug}
                className="covering"
                onKeyDown={({ key }) => {
                  arrows.current = key.startsWith('Arrow')
                }}
                onKeyUp={() => {
                  arrows.current = false
                }}
                onChange={() => set({ category: slug })}
                onClick={() => {
                  if (!arrows.current) choose(slug)
                }}
              />
              <span className={css.icon}>
                <CategoryIcon slug={slug} />
              </span>
              <span className={css.name}>{shownName(name, translate(category?.short))}</span>
            </label>
          )
        })}
      </Group>
    </>
  )
}

/** Voice control looks for a part of the name. */
function shownName(name: string, short: string | undefined) {
  return short !== undefined && fold(name).includes(fold(short)) ? short : name
}
