import type { ListingDocument } from '#schema/disk/documents'
import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ListingCard, type CardView } from './ListingCard.tsx'
import css from './ListingGrid.module.css'

/** Cards in two to five columns, or one below the other; `eager` photos stand on the first screen. */
export function ListingGrid({ rows, view = 'grid', eager = 0 }: { rows: readonly ListingDocument[]; view?: CardView; eager?: number }) {
  return (
    <div data-rows="" className={classes(css.grid, view === 'compact' && css.compact)}>
      {rows.map((listing, at) => (
        <ListingCard key={listing.id} listing={listing} view={view} eager={at < eager} />
      ))}
    </div>
  )
}

/** Cards side by side that scroll under a thumb. */
export function ListingRow({ rows, eager = 0 }: { rows: readonly ListingDocument[]; eager?: number }) {
  return (
    <div data-rows="" className={css.row}>
      {rows.map((listing, at) => (
        <ListingCard key={listing.id} listing={listing} eager={at < eager} />
      ))}
    </div>
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
