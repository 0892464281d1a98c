import type { Entry } from '#schema/disk/entry'

/** An entry of U1 that waits and was never tried; `more` says what it is. */
export const waitingEntry = (
  more: Partial<Entry> & Pick<Entry, 'id' | 'sequence' | 'lane' | 'name' | 'payload' | 'bornAt'>,
): Entry => ({
  owner: 'U1',
  low: false,
  state: 'waiting',
  why: null,
  problem: null,
  answer: null,
  after: null,
  triedAt: 0,
  tried: [],
  uncertain: false,
  tries: 0,
  notBefore: 0,
  fence: 0,
  bytes: 0,
  wifiOnly: false,
  ...more,
})
