import { Suspense } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ListingCard, type CardView } from './ListingCard.tsx'
import css from './ListingGrid.module.css'

/** Cards in two to five columns, or one below the other; `eager` photos stand on the first screen. */
export function ListingGrid({ rows, view = 'grid', eager = 0 }: { rows: readonly ListingDocument[]; view?: CardView; eager?: number }) {
  return <Cards rows={rows} view={view} eager={eager} className={classes(css.grid, view === 'compact' && css.compact)} />
}

/** Cards side by side that scroll under a thumb. */
export function ListingRow({ rows, eager = 0 }: { rows: readonly ListingDocument[]; eager?: number }) {
  return <Cards rows={rows} view="grid" eager={eager} className={css.row} />
}

/** A boundary of its own: while React takes a drawn page over, a tap elsewhere does not wait for the cards. */
function Cards({ rows, view, eager, className }: { rows: readonly ListingDocument[]; view: CardView; eager: number; className: string | undefined }) {
  return (
    <Suspense>
      <div data-later="" data-rows="" className={className}>
        {rows.map((listing, at) => (
          <ListingCard key={listing.id} listing={listing} view={view} eager={at < eager} />
        ))}
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
