'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useTranslate } from '../locales/format.ts'
import { categories } from './categories.ts'
import { CategoryIcon } from './CategoryIcon.tsx'
import css from './CategoryTiles.module.css'

/** A phone's viewport shows four; icons have no text that compresses, and delay the first frame. */
const ICONS_IN_HTML = 5

/** [S1.06, S13.53]: one row, so that the first listings stay in sight. */
export function CategoryTiles({ all = false }: { all?: boolean }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const later = useDeferredValue(true, false)
  return (
    <nav aria-label={t`Catégories`} className={css.tiles}>
      {categories
        .filter(({ isMain }) => all || isMain)
        .map(({ slug, short }, at) => (
          <Link key={slug} to="/listings" search={{ category: slug }} className={css.tile}>
            {later || at < ICONS_IN_HTML ? (
              <CategoryIcon slug={slug} />
            ) : (
              <svg className="lucide" aria-hidden="true" />
            )}
            {translate(short)}
          </Link>
        ))}
    </nav>
  )
}
