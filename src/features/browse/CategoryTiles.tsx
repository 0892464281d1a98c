import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useTranslate } from '../../locales/format.ts'
import { categories } from '../../parts/categories.ts'
import { CategoryIcon } from '../../parts/CategoryIcon.tsx'
import css from './CategoryTiles.module.css'

/** [S13.53]: one row, so that the first listings stay in sight. */
export function CategoryTiles() {
  const { t } = useLingui()
  const translate = useTranslate()
  return (
    <nav aria-label={t`Catégories`} className={css.tiles}>
      {categories.map(({ slug, short }) => (
        <Link key={slug} to="/listings" search={{ category: slug }} className={css.tile}>
          <CategoryIcon slug={slug} />
          <span className={css.name}>{translate(short)}</span>
        </Link>
      ))}
    </nav>
  )
}
