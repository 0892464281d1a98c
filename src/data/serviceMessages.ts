let early: unknown[] | null = []

/** The browser drops a message of the service worker that nobody listens to: the first script listens, and keeps what comes before the app. */
export function holdServiceMessages(): void {
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<unknown>) => void early?.push(data),
  )
}

/** From now on `heard` is told, first of what was kept. */
export function onServiceMessage(heard: (data: unknown) => void): void {
  for (const data of early ?? []) heard(data)
  early = null
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    heard(data),
  )
}
