import { FIRST, type Row, textsOf } from '../row.ts'

/** L3: twenty of 5,000 rows from bare IndexedDB, its page from a service worker, no framework. */
const opening = indexedDB.open('l3', 1)
opening.onupgradeneeded = () => {
  opening.result.createObjectStore('rows', { keyPath: 'id' }).createIndex('newest', 'newest')
}
opening.onsuccess = () => {
  const db = opening.result
  const asking = db.transaction('rows').objectStore('rows').index('newest').getAll(null, FIRST)
  asking.onsuccess = () => {
    const rows: readonly Row[] = asking.result
    if (rows.length > 0) show(rows)
    else void fill(db)
  }
}

function show(rows: readonly Row[]): void {
  const button = document.createElement('button')
  button.textContent = 'Filtrer'
  button.setAttribute('aria-expanded', 'false')
  button.onclick = () =>
    button.setAttribute('aria-expanded', String(button.getAttribute('aria-expanded') === 'false'))
  document.querySelector('main')?.append(button, ...rows.map(card))
}

function card(row: Row): HTMLElement {
  const article = document.createElement('article')
  for (const word of textsOf(row)) {
    const p = document.createElement('p')
    p.textContent = word
    article.append(p)
  }
  return article
}

async function fill(db: IDBDatabase): Promise<void> {
  const answer = await fetch('/rows.json')
  const rows = (await answer.json()) as readonly Row[]
  const writing = db.transaction('rows', 'readwrite')
  for (const row of rows) writing.objectStore('rows').put(row)
  await new Promise((resolve) => (writing.oncomplete = resolve))
  await navigator.serviceWorker.register('../sw.js')
  await navigator.serviceWorker.ready
  document.title = 'filled'
}
