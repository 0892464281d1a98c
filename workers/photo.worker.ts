import { expose } from 'comlink'
import type { PhotoPort, ProcessedPhoto } from '#schema/port/photo'
import { take, turn } from './photo/take.ts'

/** Two at once exceed a small phone's memory. */
let last: Promise<unknown> = Promise.resolve()
function after(work: () => Promise<ProcessedPhoto<Blob>>) {
  const next = last.then(work, work)
  last = next
  return next
}

const port: PhotoPort<Blob> = {
  process: (file, least) => after(() => take(file, least)),
  rotate: (photo, quarters) => after(() => turn(photo, quarters)),
}
expose(port)
