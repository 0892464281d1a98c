export type Header = Readonly<{
  type: 'jpeg' | 'png' | 'webp' | 'gif' | 'isobmff' | 'unknown'
  /** Before orientation; 0: not in the bytes read. */
  width: number
  height: number
}>

const noSize = { width: 0, height: 0 }
export const unknown: Header = { type: 'unknown', ...noSize }

export function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < 16) return unknown
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint16(0) === 0xffd8) return { type: 'jpeg', ...jpegSize(view) }
  if (view.getUint32(0) === 0x89504e47 && bytes.length >= 24)
    return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) }
  if (word(bytes, 0) === 'RIFF' && word(bytes, 8) === 'WEBP')
    return { type: 'webp', ...webpSize(view) }
  if (word(bytes, 0).startsWith('GIF8'))
    return { type: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (word(bytes, 4) === 'ftyp') return { type: 'isobmff', ...isobmffSize(view) }
  return unknown
}

/** ITU-T T.81, B.2.2 */
function jpegSize(view: DataView) {
  for (let at = 2; at + 9 < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) break
    const marker = view.getUint8(at + 1)
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + view.getUint16(at + 2)
  }
  return noSize
}

/** RFC 9649: extended, lossless or simple. */
function webpSize(view: DataView) {
  if (view.byteLength < 30) return noSize
  const lossless = view.getUint32(21, true)
  switch (view.getUint32(12)) {
    case 0x56503858:
      return {
        width: 1 + (view.getUint32(24, true) & 0xffffff),
        height: 1 + (view.getUint32(26, true) >>> 8),
      }
    case 0x5650384c:
      return { width: 1 + (lossless & 0x3fff), height: 1 + ((lossless >>> 14) & 0x3fff) }
    case 0x56503820:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return noSize
  }
}

/** The largest `ispe` box (ISO/IEC 23008-12, 6.5.3): a tiled picture has one for the tiles too. */
function isobmffSize(view: DataView) {
  let found = noSize
  for (let at = 16; at + 16 <= view.byteLength; at++) {
    if (view.getUint32(at) !== 0x69737065) continue
    const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)]
    if (width * height > found.width * found.height) found = { width, height }
  }
  return found
}

function word(bytes: Uint8Array, at: number) {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
