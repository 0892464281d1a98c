'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useTranslate } from '../locales/format.ts'
import { categories } from './categories.ts'
import { CategoryIcon } from './CategoryIcon.tsx'
import css from './CategoryTiles.module.css'

/** [S1.06, S13.53]: one row, so that the first listings stay in sight. */
export function CategoryTiles({ all = false }: { all?: boolean }) {
  const { t } = useLingui()
  const translate = useTranslate()
  return (
    <nav aria-label={t`Catégories`} className={css.tiles}>
      {categories
        .filter(({ isMain }) => all || isMain)
        .map(({ slug, short }) => (
          <Link key={slug} to="/listings" search={{ category: slug }} className={css.tile}>
            <CategoryIcon slug={slug} />
            {translate(short)}
          </Link>
        ))}
    </nav>
  )
}
