import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { startProduct } from '../support/product.ts'
import { capture, type Look, looks, nameOf, screens, smallOf } from './capture.ts'

/**
 * `npm run screens`: the main screens of the built app with its demo market, into docs/screens. Each
 * picture shows the screen of docs/screens/before at its left, and that of today at its right.
 */

const FOLDER = 'docs/screens'
const BYTES_OF_BOTH = 25_000
const GAP = 8

async function besides(before: Buffer, after: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(before).metadata()
  const both = await sharp({
    create: { width: 2 * width + GAP, height, channels: 3, background: '#888888' },
  })
    .composite([
      { input: before, left: 0, top: 0 },
      { input: after, left: width + GAP, top: 0 },
    ])
    .png()
    .toBuffer()
  return smallOf(sharp(both), BYTES_OF_BOTH)
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const table = (used: readonly Look[]): string =>
  [
    row(['', ...used.map(({ title }) => title)]),
    row(['', ...used].map(() => '---')),
    ...screens.map((screen) =>
      row([screen.title, ...used.map((look) => `![](${nameOf(screen, look)})`)]),
    ),
  ].join('\n')

for (const old of globSync(`${FOLDER}/*.webp`)) rmSync(old)
const market = await startProduct({ env: { RATE_LIMITS: 'off' } })
let bytes = 0
for await (const { name, webp } of capture(market.url)) {
  const pair = await besides(readFileSync(`${FOLDER}/before/${name}`), webp)
  bytes += pair.length
  writeFileSync(`${FOLDER}/${name}`, pair)
}
await market.stop()

const narrow = looks.filter(({ width }) => width < 900)
const wide = looks.filter(({ width }) => width >= 900)
writeFileSync(
  `${FOLDER}/README.md`,
  `# Screens

The main screens before the work on how they look and feel (left), and today (right). A column names
the size of the window in CSS px, and what differs from French, light and text of 100 %. So each size,
language, theme and text size is seen on every screen, and not all of their combinations.

\`npm run screens\` makes the pictures anew from the built app and its demo market; \`before/\` has
the left halves, taken from the commit 4a3a46ab with its own demo market.

## On a phone

${table(narrow)}

## In a wide window

${table(wide)}
`,
)
console.log(`${looks.length * screens.length} pictures, ${Math.round(bytes / 1000)} kB`)
