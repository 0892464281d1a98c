import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useHydrated } from '../../data/firstRender.ts'
import { useTranslate } from '../../locales/format.ts'
import { categories } from '../../parts/categories.ts'
import { CategoryIcon } from '../../parts/CategoryIcon.tsx'
import css from './CategoryTiles.module.css'

/** A phone's viewport shows four; icons have no text that compresses, and delay the first frame. */
const ICONS_IN_HTML = 5

/** [S13.53]: one row, so that the first listings stay in sight. */
export function CategoryTiles() {
  const { t } = useLingui()
  const translate = useTranslate()
  const hydrated = useHydrated()
  return (
    <nav aria-label={t`Catégories`} className={css.tiles}>
      {categories.map(({ slug, short }, at) => (
        <Link key={slug} to="/listings" search={{ category: slug }} className={css.tile}>
          {hydrated || at < ICONS_IN_HTML ? (
            <CategoryIcon slug={slug} />
          ) : (
            <svg className="lucide" aria-hidden="true" />
          )}
          <span className={css.name}>{translate(short)}</span>
        </Link>
      ))}
    </nav>
  )
}
