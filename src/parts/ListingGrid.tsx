import { memo, type ReactNode, Suspense, useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { VIEWPORT_END } from '#schema/viewport'
import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ListingCard, type CardSlot, type CardView } from './ListingCard.tsx'
import css from './ListingGrid.module.css'
import { PART } from './pagination.ts'

const SETTLED_MS = 500
/** Twenty phone screens, a hundred cards. */
const FAR = '12800px 0px'

interface Shown {
  rows: readonly ListingDocument[]
  view?: CardView
  eager?: number
  viewport?: number
}

/** Split into parts: a growing list lays out only its last part again. */
export function ListingGrid({ rows, view = 'grid', eager = 0, viewport = 0 }: Shown) {
  const [atFirst] = useState(rows.length)
  const parts = Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) =>
    rows.slice(at * PART, (at + 1) * PART),
  )
  return (
    // A new key per view: the browser remembers each card's size, also of those off screen.
    <Later key={view} className={partsOf(view)}>
      {parts.map((part, at) => (
        <Part
          key={at}
          rows={part}
          view={view}
          eager={at === 0 ? eager : 0}
          viewport={at === 0 ? viewport : 0}
          grown={at * PART >= atFirst}
        />
      ))}
    </Later>
  )
}

export function ListingRow({ rows }: { rows: readonly ListingDocument[] }) {
  return (
    <Later className={css.row}>
      <Cards rows={rows} view="row" eager={0} viewport={0} />
    </Later>
  )
}

const Part = memo(
  function Part({
    rows,
    view,
    eager,
    viewport,
    grown,
  }: Required<Shown> & { readonly grown: boolean }) {
    const [held, hold] = useState(0)
    const full = (part: HTMLElement | null) =>
      part ? settle(part, grown ? 0 : SETTLED_MS, hold) : undefined
    return (
      <div
        ref={rows.length === PART ? full : undefined}
        data-part=""
        data-settled={grown ? '' : undefined}
        className={css.part}
        style={held > 0 ? { minBlockSize: held } : undefined}
      >
        {held > 0 ? (
          rows.map(({ id }) => <article key={id} data-listing={id} />)
        ) : (
          <Cards rows={rows} view={view} eager={eager} viewport={viewport} />
        )}
      </div>
    )
  },
  (before, now) =>
    before.view === now.view &&
    before.eager === now.eager &&
    before.viewport === now.viewport &&
    before.rows.length === now.rows.length &&
    before.rows.every((row, at) => row === now.rows[at]),
)

/** Given the height to reserve for a far part, px, else 0. */
const heightSetters = new WeakMap<Element, (height: number) => void>()
const near =
  typeof IntersectionObserver === 'undefined'
    ? null
    : new IntersectionObserver(
        (entries) => {
          for (const { isIntersecting, boundingClientRect, target } of entries)
            heightSetters.get(target)?.(
              isIntersecting || target.contains(document.activeElement)
                ? 0
                : boundingClientRect.height,
            )
        },
        { rootMargin: FAR },
      )

/** Off-screen parts skip rendering; far parts render empty cards, to save memory. */
function settle(part: HTMLElement, after: number, hold: (height: number) => void): () => void {
  heightSetters.set(part, hold)
  const timer = setTimeout(() => {
    part.setAttribute('data-settled', '')
    near?.observe(part)
  }, after)
  return () => {
    clearTimeout(timer)
    near?.unobserve(part)
  }
}

function Cards({
  rows,
  view,
  eager,
  viewport,
}: Required<Omit<Shown, 'view'>> & { readonly view: CardSlot }) {
  return rows.map((listing, at) => (
    <ListingCard
      key={listing.id}
      id={at + 1 === viewport ? VIEWPORT_END : undefined}
      listing={listing}
      view={view}
      eager={at < eager}
    />
  ))
}

/** During hydration a tap elsewhere does not wait for the cards. */
function Later({ className, children }: { className: string | undefined; children: ReactNode }) {
  return (
    <Suspense>
      <div className={className}>{children}</div>
    </Suspense>
  )
}

/** As high as the rows: no layout shift when they arrive. */
export function GridSkeleton({
  count,
  view = 'grid',
  row,
}: {
  count: number
  view?: CardView
  row?: boolean
}) {
  const ghosts = Array.from({ length: count }, (_, at) => (
    <div key={at} className={css.ghost}>
      <Skeleton shape="photo" />
      <Skeleton shape="title" />
      <Skeleton />
      <Skeleton />
      <Skeleton />
      <Skeleton />
    </div>
  ))
  return (
    <div className={row === true ? css.row : partsOf(view)} aria-hidden="true">
      {row === true ? ghosts : <div className={css.part}>{ghosts}</div>}
    </div>
  )
}

const partsOf = (view: CardView) => classes(css.parts, view === 'compact' && css.compact)
