import { APP_NAME } from '#schema/app'
import { drawCover } from '../ui/drawCover.ts'
import { qrOf } from './qr.ts'

export type Shared = Readonly<{
  title: string
  url: string
  strong: string
  quiet: string
  photo: string | null
}>

/** The size of a WhatsApp status and of a printed notice [F12]. */
const WIDE = 1080
const HIGH = 1350
const PHOTO_HIGH = 810
const EDGE = 60
const QR_SIDE = 360
const look = {
  paper: '#ffffff',
  ink: '#1c1b19',
  quiet: '#5c5850',
  brand: '#0a6847',
  empty: '#efebe3',
}
const font = (weight: number, px: number) =>
  `${weight} ${px}px system-ui, Roboto, "Noto Sans", sans-serif`

export async function posterOf(shared: Shared): Promise<Blob | null> {
  const canvas = new OffscreenCanvas(WIDE, HIGH)
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) return null
  context.fillStyle = look.paper
  context.fillRect(0, 0, WIDE, HIGH)
  await photo(context, shared.photo)
  texts(context, shared)
  code(context, shared.url)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.88 })
}

type Context = OffscreenCanvasRenderingContext2D
interface Pen {
  measureText(text: string): { readonly width: number }
}

async function photo(context: Context, address: string | null) {
  context.fillStyle = look.empty
  context.fillRect(0, 0, WIDE, PHOTO_HIGH)
  const picture = address === null ? null : await load(address)
  if (!picture) return
  drawCover(context, picture, WIDE, PHOTO_HIGH)
  picture.close()
}

async function load(address: string): Promise<ImageBitmap | null> {
  try {
    const answer = await fetch(address)
    return answer.ok ? await createImageBitmap(await answer.blob()) : null
  } catch {
    return null
  }
}

function texts(context: Context, { title, strong, quiet, url }: Shared) {
  const room = WIDE - 3 * EDGE - QR_SIDE
  context.textBaseline = 'top'
  context.fillStyle = look.ink
  context.font = font(700, 68)
  context.fillText(strong, EDGE, PHOTO_HIGH + 56, WIDE - 2 * EDGE)
  context.font = font(600, 46)
  linesOf(context, title, room, 3).forEach((line, at) =>
    context.fillText(line, EDGE, PHOTO_HIGH + 170 + at * 58),
  )
  context.fillStyle = look.quiet
  context.font = font(400, 38)
  context.fillText(quiet, EDGE, PHOTO_HIGH + 360, room)
  context.fillStyle = look.brand
  context.font = font(700, 40)
  context.fillText(`${APP_NAME} · ${new URL(url).host}`, EDGE, HIGH - EDGE - 50, room)
}

export function linesOf(pen: Pen, text: string, room: number, most: number): readonly string[] {
  const fits = (line: string) => pen.measureText(line).width <= room
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/u)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || fits(longer)) {
      line = longer
      continue
    }
    lines.push(line)
    line = word
  }
  lines.push(line)
  const kept = lines.slice(0, most)
  return kept.map((one, at) => shortened(one, fits, at === most - 1 && lines.length > most))
}

function shortened(line: string, fits: (line: string) => boolean, cut: boolean) {
  if (!cut && fits(line)) return line
  const letters = [...line]
  while (letters.length > 1 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

function code(context: Context, url: string) {
  const { size, path } = qrOf(url)
  context.save()
  context.translate(WIDE - EDGE - QR_SIDE, HIGH - EDGE - QR_SIDE)
  context.scale(QR_SIDE / size, QR_SIDE / size)
  context.fillStyle = look.ink
  const squares = new Path2D(path)
  context.fill(squares, 'nonzero')
  context.restore()
}
