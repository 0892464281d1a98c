/** What the first bytes of a file say, so that nothing is decoded only to be refused. */
export interface Header {
  readonly type: 'jpeg' | 'png' | 'webp' | 'gif' | 'isobmff' | 'unknown'
  /** As stored, before orientation; null: not told in the bytes looked at. */
  readonly width: number | null
  readonly height: number | null
}

const unknown: Header = { type: 'unknown', width: null, height: null }

/** Reads type and size from the start of a file (64 KB are enough for all but odd JPEGs). */
export function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < 16) return unknown
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint16(0) === 0xffd8) return { type: 'jpeg', ...jpegSize(view) }
  if (view.getUint32(0) === 0x89504e47 && bytes.length >= 24) return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) }
  if (word(bytes, 0) === 'RIFF' && word(bytes, 8) === 'WEBP') return { type: 'webp', width: null, height: null }
  if (word(bytes, 0).startsWith('GIF8')) return { type: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (word(bytes, 4) === 'ftyp') return { type: 'isobmff', width: null, height: null }
  return unknown
}

/** Walks the segments to the frame header (ITU-T T.81, B.2.2). */
function jpegSize(view: DataView): { readonly width: number | null; readonly height: number | null } {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) break
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + view.getUint16(at + 2)
  }
  return { width: null, height: null }
}

function word(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
