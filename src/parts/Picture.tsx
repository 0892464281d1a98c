'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import type { Image } from '#schema/wire/shapes'
import { useSaveData } from '../data/saveData.ts'
import { useFormat } from '../locales/format.ts'
import { classes } from '../ui/classes.ts'
import { useBroken } from '../ui/brokenImage.ts'
import { CategoryIcon } from './CategoryIcon.tsx'
import css from './Picture.module.css'

/** Most bytes per width [API 6.3]. */
const weights: Readonly<Record<number, number>> = {
  160: 8_000,
  240: 10_000,
  320: 20_000,
  360: 16_000,
  512: 30_000,
  640: 60_000,
  768: 60_000,
  1280: 180_000,
}

interface Shown {
  image: Image | null
  alt: string
  sizes: string
  widest: number
  category: string
  eager?: boolean
  className?: string | undefined
}

/** In save-data mode it loads on tap. */
export function Picture({ image, alt, sizes, widest, category, eager = false, className }: Shown) {
  const { t } = useLingui()
  const { bytes } = useFormat()
  const saveData = useSaveData()
  const [asked, setAsked] = useState(false)
  const { broken, watch } = useBroken(image?.base)
  const waits = saveData && !asked && image !== null && !broken
  const avif = steps(image?.avif_widths ?? [], widest)
  const webp = steps(image?.widths ?? [], widest)
  return (
    <span className={classes(css.frame, className)}>
      {image?.color != null && <svg className={css.tone} color={image.color} aria-hidden="true" />}
      {waits && (
        <button
          type="button"
          className={css.ask}
          onClick={(event) => {
            event.preventDefault()
            setAsked(true)
          }}
        >
          <Eye />
          <span>{t`Afficher la photo (${bytes(weights[(avif ?? webp)?.at(-1) ?? 0] ?? 20_000)})`}</span>
        </button>
      )}
      {image !== null && !waits && (
        <picture>
          {avif && <source type="image/avif" srcSet={sources(image, 'avif', avif)} sizes={sizes} />}
          <img
            src={image.url}
            srcSet={!avif && webp ? sources(image, 'webp', webp) : undefined}
            sizes={!avif && webp ? sizes : undefined}
            alt={alt}
            width={image.width}
            height={image.height}
            loading="lazy"
            fetchPriority={eager ? 'high' : undefined}
            decoding="async"
            className={css.photo}
            {...watch}
          />
        </picture>
      )}
      {(image === null || broken) && (
        <span className={css.silhouette} data-photo-missing="">
          <CategoryIcon slug={category} />
        </span>
      )}
    </span>
  )
}

/** Those that a screen of density 1 to 3 chooses from; null: none. */
function steps(widths: readonly number[], widest: number) {
  const fit = widths.filter((width) => width <= widest && width * 2.3 >= widest)
  return fit.length > 0 ? fit : null
}

const sources = ({ base }: Image, format: string, widths: readonly number[]) =>
  widths.map((width) => `${base}/${width}.${format} ${width}w`).join(', ')
