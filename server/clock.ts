/** Tests shift the time ([API 16], TEST_CLOCK_OFFSET_S). */
export type Clock = () => Date

export const clockWith =
  (offsetMs: number): Clock =>
  () =>
    new Date(Date.now() + offsetMs)
