import { memo, type ReactNode, Suspense, useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { VIEWPORT_END } from '#schema/viewport'
import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ListingCard, type CardView } from './ListingCard.tsx'
import css from './ListingGrid.module.css'
import { PART } from './reach.ts'

const SETTLED_MS = 500
/** Twenty screens of a phone, a hundred cards. */
const FAR = '12800px 0px'

interface Shown {
  readonly rows: readonly ListingDocument[]
  readonly view?: CardView
  /** So many photos stand on the first screen. */
  readonly eager?: number
  /** So many cards stand there, where the screen itself ends with them: a drawn page is seen once it has come so far. */
  readonly viewport?: number
}

/** Cards in two to five columns, or one below the other; in parts, so that a long list that grows is laid out anew only at its end. */
export function ListingGrid({ rows, view = 'grid', eager = 0, viewport = 0 }: Shown) {
  const [atFirst] = useState(rows.length)
  const parts = Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) =>
    rows.slice(at * PART, (at + 1) * PART),
  )
  return (
    // Cards of another view are others: a browser remembers how high each stood, also those that are far below.
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

/** Cards side by side that scroll under a thumb. */
export function ListingRow({
  rows,
  eager = 0,
}: {
  rows: readonly ListingDocument[]
  eager?: number
}) {
  return (
    <Later className={css.row}>
      <Cards rows={rows} view="grid" eager={eager} viewport={0} />
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

/** How each part hears how high it is to be held, px, since it is far, or 0: of one observer for all, which costs a frame less than one for each. */
const hearers = new WeakMap<Element, (height: number) => void>()
const near =
  typeof IntersectionObserver === 'undefined'
    ? null
    : new IntersectionObserver(
        (entries) => {
          for (const { isIntersecting, boundingClientRect, target } of entries)
            hearers.get(target)?.(
              isIntersecting || target.contains(document.activeElement)
                ? 0
                : boundingClientRect.height,
            )
        },
        { rootMargin: FAR },
      )

/**
 * A full part that was laid out once is left out of a frame that does not show it: its size is known, so the place in the list
 * stays exact. One that grows below what is shown is left out from the start. Far away its cards are empty, which cost every
 * frame, and memory of a phone that has little: what is listed still stands in the page, as high as it was, since a jump shows
 * it a frame before its cards are back.
 */
function settle(part: HTMLElement, after: number, hold: (height: number) => void): () => void {
  hearers.set(part, hold)
  const timer = setTimeout(() => {
    part.setAttribute('data-settled', '')
    near?.observe(part)
  }, after)
  return () => {
    clearTimeout(timer)
    near?.unobserve(part)
  }
}

function Cards({ rows, view, eager, viewport }: Required<Shown>) {
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

/** A boundary of its own: while React takes a drawn page over, a tap elsewhere does not wait for the cards. */
function Later({ className, children }: { className: string | undefined; children: ReactNode }) {
  return (
    <Suspense>
      <div data-later="" data-rows="" className={className}>
        {children}
      </div>
    </Suspense>
  )
}

/** The shape of what comes, as high as it will be: nothing moves when it is there. */
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
    </div>
  ))
  return (
    <div className={row === true ? css.row : partsOf(view)} aria-hidden="true">
      {row === true ? ghosts : <div className={css.part}>{ghosts}</div>}
    </div>
  )
}

const partsOf = (view: CardView): string => classes(css.parts, view === 'compact' && css.compact)
