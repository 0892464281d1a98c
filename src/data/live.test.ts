import { expect, test } from 'vitest'
import type { Frame } from '#schema/port/question'
import { applyFrame, loading } from './live.ts'

const frame = (ids: readonly string[], limit: number): Frame<'messages.thread'> => ({
  ids,
  rows: [],
  facts: { gapBefore: null, peerReadUntil: 0 },
  status: 'ready',
  since: 1,
  limit,
})

test('[S13.31] an answer that was on its way when the page asked for more does not end the list', () => {
  const shown = applyFrame<'messages.thread'>(loading.rows, frame([], 60), 120)
  expect(shown.status).toBe('stale')
  expect(applyFrame<'messages.thread'>(shown.rows, frame([], 120), 120).status).toBe('ready')
})
