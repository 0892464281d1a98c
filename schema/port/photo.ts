/** [S5.05, API 5.4] */
export type PhotoProblem =
  | 'image_too_large'
  | 'image_too_small'
  | 'image_type_unsupported'
  | 'image_unreadable'
  | 'image_dimensions_too_large'

/**
 * Oriented, long edge at most 1,600 px, about 250 KB of JPEG, no metadata. `File` is a Blob:
 * schema/ has no DOM types.
 */
export type ProcessedPhoto<File> = Readonly<
  | { kind: 'taken'; photo: File; width: number; height: number }
  | { kind: 'refused'; problem: PhotoProblem }
>

export interface PhotoPort<File> {
  /** `least`: of the shorter side, in px. */
  process(file: File, least: number): Promise<ProcessedPhoto<File>>
  rotate(photo: File, quarters: number): Promise<ProcessedPhoto<File>>
}
