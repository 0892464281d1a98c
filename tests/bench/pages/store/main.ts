/** Measures in a worker, where the store runs, and puts the figures (ms) on the window. */
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
worker.onmessage = ({ data }: MessageEvent<unknown>) => Reflect.set(window, 'storeFigures', data)
worker.onerror = ({ message }) => Reflect.set(window, 'storeFigures', { error: message })
