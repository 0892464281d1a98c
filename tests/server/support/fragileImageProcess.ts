/**
 * An image process for tests: the photo's path selects its behaviour, and it crashes on variants.
 */
process.on('disconnect', () => process.exit())
process.on('message', (asked: { path?: string }) => {
  const way = asked.path ?? 'dies'
  if (way === 'dies') process.kill(process.pid, 'SIGKILL')
  else if (way === 'babbles') process.send?.('what?')
  else if (way === 'breaks') process.send?.({ kind: 'failed', reason: 'a bug' })
  else if (way !== 'hangs') process.send?.({ kind: 'done', done: { code: 'image_too_small' } })
})
process.send?.({ kind: 'ready' })
