/**
 * Who rendered the HTML: the server, for any visitor, or this device. The first React render must
 * equal it.
 */
interface Prerendered {
  readonly by: 'server' | 'phone'
  /** The time its relative ages were computed from, a full minute; ms. */
  readonly at: number
  readonly saveData: boolean
}

export const prerendered: Prerendered | null = import.meta.env.SSR ? null : read()

/** A store's value during hydration: `visitor` if the server rendered the page, else `known`. */
export function asPrerendered<T>(known: T, visitor: T): T {
  return import.meta.env.SSR || prerendered?.by === 'server' ? visitor : known
}

function read(): Prerendered | null {
  const { drawn: by, at, saveData } = document.getElementById('root')?.dataset ?? {}
  return by === 'server' || by === 'phone'
    ? { by, at: Number(at), saveData: saveData !== undefined }
    : null
}
