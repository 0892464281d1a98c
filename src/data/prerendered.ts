/**
 * Who drew the HTML that stands in the page before the app's own script: the server, as any visitor sees it; this phone, the
 * last time (screen.ts); or nobody. React takes it over as it stands, so the first render must say what was drawn.
 */
interface Prerendered {
  readonly by: 'server' | 'phone'
  /** The minute of its ages, ms. */
  readonly at: number
  /** Photos wait for a tap, because the person or the browser asked to save data. */
  readonly saveData: boolean
}

export const prerendered: Prerendered | null = import.meta.env.SSR ? null : read()

/** What a store shows while React takes the HTML over: `visitor` where the server drew it, what it knows where this phone did. */
export function asPrerendered<T>(known: T, visitor: T): T {
  return import.meta.env.SSR || prerendered?.by === 'server' ? visitor : known
}

function read(): Prerendered | null {
  const { drawn: by, at, saveData } = document.getElementById('root')?.dataset ?? {}
  return by === 'server' || by === 'phone'
    ? { by, at: Number(at), saveData: saveData !== undefined }
    : null
}
