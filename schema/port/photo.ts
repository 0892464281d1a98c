/** Why a photo cannot be taken in (S5.05, API.md 5.4); the words stand in the page's catalogue. */
export type PhotoProblem =
  | 'image_too_large'
  | 'image_too_small'
  | 'image_type_unsupported'
  | 'image_unreadable'
  | 'image_dimensions_too_large'

/** A photo as it waits to be sent: oriented, long edge at most 1,600 px, about 250 KB of JPEG, without metadata. */
export interface TakenPhoto {
  readonly photo: Blob
  readonly width: number
  readonly height: number
}

export type Taken = ({ readonly kind: 'taken' } & TakenPhoto) | { readonly kind: 'refused'; readonly problem: PhotoProblem }

/** The photo worker's door; it lives only while it works. */
export interface PhotoPort {
  take(file: Blob): Promise<Taken>
  /** Turns a taken photo by quarters, clockwise. */
  turn(photo: Blob, quarters: number): Promise<Taken>
}
