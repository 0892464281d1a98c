/** Why a photo was rejected [S5.05, API 5.4]. The page has the texts. */
export type PhotoProblem =
  | 'image_too_large'
  | 'image_too_small'
  | 'image_type_unsupported'
  | 'image_unreadable'
  | 'image_dimensions_too_large'

/**
 * A processed photo: oriented, long edge at most 1,600 px, about 250 KB of JPEG, no metadata.
 * `File` is a Blob: schema/ has no DOM types.
 */
export type ProcessedPhoto<File> =
  | {
      readonly kind: 'taken'
      readonly photo: File
      readonly width: number
      readonly height: number
    }
  | { readonly kind: 'refused'; readonly problem: PhotoProblem }

/** Interface of the photo worker, which runs only while it works. */
export interface PhotoPort<File> {
  /** `least`: minimum of the shorter side, in px. */
  process(file: File, least: number): Promise<ProcessedPhoto<File>>
  /** Rotates clockwise by quarter turns. */
  rotate(photo: File, quarters: number): Promise<ProcessedPhoto<File>>
}
