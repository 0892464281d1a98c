import { useState } from 'react'
import { type Shown, textsOf } from './row.ts'

export function List({ rows }: { rows: readonly Shown[] }) {
  const [open, setOpen] = useState(false)
  return (
    <main>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        Filtrer
      </button>
      {rows.map((row) => (
        <article key={row.id}>
          {textsOf(row).map((word) => (
            <p key={word}>{word}</p>
          ))}
        </article>
      ))}
    </main>
  )
}
