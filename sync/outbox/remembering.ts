import { type Book, remembered, withDesk } from './book.ts'
import type { Table } from './table.ts'

/**
 * A table that holds what it last saw: where the browser wiped the database under an open tab, the next look puts back what was
 * in it. `newId` names each database, so that another one is told from the one before.
 */
export function remembering(table: Table, newId: () => string): Table {
  let last: Book | null = null
  const isWiped = ({ desk }: Book): boolean => {
    const name = last?.desk.born[0]
    return name !== undefined && !desk.born.includes(name)
  }
  const whole = (found: Book): Book => {
    if (last && isWiped(found)) return putBack(found, last)
    return found.desk.born.length === 0 ? withDesk(found, { born: [newId()] }) : found
  }
  const change: Table['change'] = async (work) => {
    let next = last
    const result = await table.change((found) => {
      const done = work(whole(found))
      next = done.book
      return done
    })
    last = next
    return result
  }
  return {
    change,
    async read() {
      const found = await table.read()
      if (isWiped(found)) return change((book) => ({ book, result: book }))
      last = found
      return found
    },
    close: () => table.close(),
  }
}

/** What was written into the new database meanwhile stands behind what the old one had. */
function putBack(found: Book, last: Book): Book {
  const { desk } = found
  const isMissing = (here: readonly { readonly id: string }[], id: string): boolean => !here.some((one) => one.id === id)
  const entries = last.entries.filter(({ id }) => isMissing(found.entries, id) && !desk.done.includes(id))
  const behind = found.entries.map((entry) => ({ ...entry, place: entry.place + last.desk.place }))
  return {
    ...found,
    entries: [...entries, ...behind],
    texts: [...found.texts, ...last.texts.filter(({ id }) => isMissing(found.texts, id))],
    desk: {
      ...last.desk,
      place: last.desk.place + desk.place,
      sessions: [...last.desk.sessions.filter(({ owner }) => !desk.sessions.some((one) => one.owner === owner)), ...desk.sessions],
      done: remembered(last.desk.done, ...desk.done),
      born: [...last.desk.born, ...desk.born],
    },
  }
}
