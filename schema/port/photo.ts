/** Why a photo cannot be taken in [S5.05, API 5.4]; the words stand in the page's catalogue. */
export type PhotoProblem =
  | 'image_too_large'
  | 'image_too_small'
  | 'image_type_unsupported'
  | 'image_unreadable'
  | 'image_dimensions_too_large'

/**
 * A photo as it waits to be sent: oriented, long edge at most 1,600 px, about 250 KB of JPEG, without metadata;
 * or why it was not taken. `File` is a Blob: this room knows no browser.
 */
export type ProcessedPhoto<File> =
  | {
      readonly kind: 'taken'
      readonly photo: File
      readonly width: number
      readonly height: number
    }
  | { readonly kind: 'refused'; readonly problem: PhotoProblem }

/** The photo worker's door; it lives only while it works. */
export interface PhotoPort<File> {
  /** `least`: px of the shorter side. */
  process(file: File, least: number): Promise<ProcessedPhoto<File>>
  /** Turns a taken photo by quarters, clockwise. */
  rotate(photo: File, quarters: number): Promise<ProcessedPhoto<File>>
}
