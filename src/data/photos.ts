import '../trusted.ts'
import { IMAGE_MIN_PX } from '#schema/limits'
import type { PhotoPort, ProcessedPhoto } from '#schema/port/photo'
import { ask } from './ask.ts'
import { portOf, rejectable } from './worker.ts'

/** A decoder's memory is only released with its worker. */
const IDLE_MS = 10_000

let link: ReturnType<typeof start> | null = null
let busy = 0
let idle: ReturnType<typeof setTimeout> | undefined

/** [S5.05]; never rejects. */
export function takePhoto(file: Blob, least = IMAGE_MIN_PX): Promise<ProcessedPhoto<Blob>> {
  return work((port) => port.process(file, least))
}

export function turnPhoto(photo: Blob): Promise<ProcessedPhoto<Blob>> {
  return work((port) => port.rotate(photo, 1))
}

async function work(
  job: (port: PhotoPort<Blob>) => Promise<ProcessedPhoto<Blob>>,
): Promise<ProcessedPhoto<Blob>> {
  clearTimeout(idle)
  const { port, dead } = (link ??= start())
  busy += 1
  try {
    return await Promise.race([job(port), dead])
  } catch {
    return { kind: 'refused', problem: 'image_unreadable' }
  } finally {
    busy -= 1
    if (busy === 0) idle = setTimeout(end, IDLE_MS)
  }
}

function start() {
  const worker = new Worker(new URL('../../workers/photo.worker.ts', import.meta.url), {
    type: 'module',
    name: 'photos',
  })
  const port = portOf<PhotoPort<Blob>>(worker)
  const { promise: dead, reject } = rejectable()
  worker.addEventListener('error', () => {
    end()
    reject(new Error('the photo worker died'))
  })
  return { worker, port, dead }
}

function end() {
  link?.worker.terminate()
  link = null
}

export async function storedPhoto(id: string): Promise<Blob | null> {
  const outcome = await ask('draft.photo', { id })
  return outcome.kind === 'done' && outcome.answer.file instanceof Blob ? outcome.answer.file : null
}
