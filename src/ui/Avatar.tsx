import css from './Avatar.module.css'
import { classes } from './classes.ts'
import { useBroken } from './brokenImage.ts'

/** Small ones use the 64 px variant [API 4.1]. */
export function Avatar({
  src,
  name,
  size = 'm',
}: {
  src: string | null
  name: string
  size?: 's' | 'm' | 'l'
}) {
  const { broken, watch } = useBroken(src ?? undefined)
  const [first = '?'] = name
  const className = classes(css.avatar, css[size])
  if (src === null || broken) {
    return (
      <span aria-hidden="true" className={className}>
        {first.toUpperCase()}
      </span>
    )
  }
  const small = src.replace(/\/256\.webp$/, '/64.webp')
  return (
    <img
      src={size === 'l' ? src : small}
      alt=""
      width={64}
      height={64}
      loading="lazy"
      decoding="async"
      className={className}
      {...watch}
    />
  )
}
