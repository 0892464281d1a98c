import { expose } from 'comlink'
import type { PhotoPort, Taken } from '#schema/port/photo'
import { take, turn } from './photo/take.ts'

/** Photos one at a time: two decoded at once are more than a small phone has memory for. */
let last: Promise<unknown> = Promise.resolve()
function after(work: () => Promise<Taken<Blob>>): Promise<Taken<Blob>> {
  const next = last.then(work, work)
  last = next
  return next
}

const port: PhotoPort<Blob> = {
  take: (file, least) => after(() => take(file, least)),
  turn: (photo, quarters) => after(() => turn(photo, quarters)),
}
expose(port)
