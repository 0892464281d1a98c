/**
 * Who rendered the HTML in the page: the server, as for any visitor, or this device (screen.ts).
 * The first React render must produce the same HTML, or hydration fails.
 */
interface Prerendered {
  readonly by: 'server' | 'phone'
  /** The time from which relative ages were computed, rounded to the minute; ms. */
  readonly at: number
  /** Photos load on tap only, because the user or the browser asked to save data. */
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
