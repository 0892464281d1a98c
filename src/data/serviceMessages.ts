let early: unknown[] | null = []

/** The browser drops messages without a listener: the first script buffers them for the app. */
export function holdServiceMessages(): void {
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<unknown>) => void early?.push(data),
  )
}

export function onServiceMessage(listener: (data: unknown) => void): void {
  for (const data of early ?? []) listener(data)
  early = null
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    listener(data),
  )
}
