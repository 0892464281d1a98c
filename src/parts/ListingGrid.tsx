import { memo, type ReactNode, Suspense } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ListingCard, type CardView } from './ListingCard.tsx'
import css from './ListingGrid.module.css'

/** Cards of one part of a grid: divides by the columns of every width, so that parts below one another look like one grid. */
const PART = 60

interface Shown {
  readonly rows: readonly ListingDocument[]
  readonly view?: CardView
  /** So many photos stand on the first screen. */
  readonly eager?: number
}

/** Cards in two to five columns, or one below the other; in parts, so that a long list that grows is laid out anew only at its end. */
export function ListingGrid({ rows, view = 'grid', eager = 0 }: Shown) {
  const parts = Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) => rows.slice(at * PART, (at + 1) * PART))
  return (
    <Later className={css.parts}>
      {parts.map((part, at) => (
        <Part key={at} rows={part} view={view} eager={at === 0 ? eager : 0} />
      ))}
    </Later>
  )
}

/** Cards side by side that scroll under a thumb. */
export function ListingRow({ rows, eager = 0 }: { rows: readonly ListingDocument[]; eager?: number }) {
  return (
    <Later className={css.row}>
      <Cards rows={rows} view="grid" eager={eager} />
    </Later>
  )
}

const Part = memo(
  function Part({ rows, view, eager }: Required<Shown>) {
    return (
      <div data-part="" className={classes(css.grid, view === 'compact' && css.compact)}>
        <Cards rows={rows} view={view} eager={eager} />
      </div>
    )
  },
  (before, now) => before.view === now.view && before.eager === now.eager && before.rows.length === now.rows.length && before.rows.every((row, at) => row === now.rows[at]),
)

function Cards({ rows, view, eager }: Required<Shown>) {
  return rows.map((listing, at) => <ListingCard key={listing.id} listing={listing} view={view} eager={at < eager} />)
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

/** The shape of what comes. */
export function GridSkeleton({ count, view = 'grid', row }: { count: number; view?: CardView; row?: boolean }) {
  return (
    <div className={row === true ? css.row : classes(css.grid, view === 'compact' && css.compact)} aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className={css.ghost}>
          <Skeleton shape="photo" />
          <Skeleton shape="title" />
          <Skeleton />
        </div>
      ))}
    </div>
  )
}
