const early: unknown[] = []
let receive = (data: unknown): void => void early.push(data)

/** The browser drops messages without a listener: the first script holds them for the app. */
export function holdServiceMessages() {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    receive(data),
  )
}

export function onServiceMessage(listener: (data: unknown) => void): void {
  receive = listener
  early.forEach(listener)
}
