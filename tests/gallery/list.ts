import type { State } from './states.ts'

/** Links to all states, each in a frame of a phone's size. */
export function showList(states: readonly State[]): void {
  const sheet = document.createElement('style')
  sheet.textContent =
    'body{display:flex;flex-wrap:wrap;gap:16px;font:14px system-ui}' +
    'figure{margin:0}iframe{width:360px;height:640px;border:1px solid #888;display:block}'
  document.head.append(sheet)
  for (const { name } of states) {
    const address = `?state=${encodeURIComponent(name)}`
    const link = Object.assign(document.createElement('a'), { href: address, textContent: name })
    const frame = Object.assign(document.createElement('iframe'), {
      src: address,
      title: name,
      loading: 'lazy',
    })
    const figure = document.createElement('figure')
    figure.append(link, frame)
    document.body.append(figure)
  }
}
