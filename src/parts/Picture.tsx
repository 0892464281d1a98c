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

/** Expected bytes per width [API 6.3]. */
const weights: Readonly<Record<number, number>> = {
  160: 8_000,
  320: 20_000,
  640: 60_000,
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
          <span>{t`Afficher la photo (${bytes(weights[widest] ?? 8_000)})`}</span>
        </button>
      )}
      {image !== null && !waits && (
        <picture>
          {image.formats.includes('avif') && (
            <source type="image/avif" srcSet={sources(image, 'avif', widest)} sizes={sizes} />
          )}
          <img
            src={image.url}
            srcSet={sources(image, 'webp', widest)}
            sizes={sizes}
            alt={alt}
            width={image.width}
            height={image.height}
            loading={eager ? 'eager' : 'lazy'}
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

function sources(image: Image, format: string, widest: number): string | undefined {
  const fit = image.widths.filter((width) => width <= widest)
  return image.formats.includes(format) && fit.length > 0
    ? fit.map((width) => `${image.base}/${width}.${format} ${width}w`).join(', ')
    : undefined
}
