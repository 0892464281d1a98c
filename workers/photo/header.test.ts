import { expect, test } from 'vitest'
import { readHeader } from './header.ts'

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part,
    ),
  )
const zeros = (n: number): readonly number[] => Array.from({ length: n }, () => 0)

test('[S5.05] reads the size of a JPEG behind its metadata, without decoding it', () => {
  const jpeg = bytes(
    [
      0xff, 0xd8, 0xff, 0xe1, 0x00, 0x06, 1, 2, 3, 4, 0xff, 0xc0, 0x00, 0x11, 8, 0x0b, 0xb8, 0x0f,
      0xa0, 3,
    ],
    zeros(20),
  )
  expect(readHeader(jpeg)).toEqual({ type: 'jpeg', width: 4000, height: 3000 })
})

test('[S5.05] reads the size of a WebP in its three forms, and of the whole picture of an AVIF', () => {
  const webp = (form: string, ...rest: readonly (readonly number[])[]) =>
    readHeader(bytes('RIFF', zeros(4), 'WEBP', form, ...rest, zeros(8)))
  expect(webp('VP8X', zeros(4), zeros(4), [0x1f, 0x1f, 0], [0xef, 0x17, 0])).toEqual({
    type: 'webp',
    width: 7968,
    height: 6128,
  })
  expect(webp('VP8 ', zeros(4), [0, 0, 0, 0x9d, 0x01, 0x2a], [0x20, 0x03], [0x58, 0x02])).toEqual({
    type: 'webp',
    width: 800,
    height: 600,
  })
  // 14 bits each, minus one: 799 and 599.
  expect(webp('VP8L', zeros(4), [0x2f], [0x1f, 0xc3, 0x95, 0x00])).toEqual({
    type: 'webp',
    width: 800,
    height: 600,
  })
  const ispe = (...size: readonly number[]) => [
    ...zeros(3),
    20,
    ...bytes('ispe'),
    ...zeros(4),
    ...size,
  ]
  expect(
    readHeader(
      bytes(
        zeros(4),
        'ftypavif',
        zeros(8),
        ispe(0, 0, 2, 0, 0, 0, 2, 0),
        ispe(0, 0, 31, 64, 0, 0, 23, 112),
      ),
    ),
  ).toEqual({ type: 'isobmff', width: 8000, height: 6000 })
})

test('[S5.05] distinguishes PNG, WebP, GIF, video, HEIC and unknown data', () => {
  expect(
    readHeader(bytes([0x89], 'PNG', [13, 10, 26, 10], zeros(8), [0, 0, 3, 32], [0, 0, 2, 88])),
  ).toEqual({ type: 'png', width: 800, height: 600 })
  expect(readHeader(bytes('RIFF', zeros(4), 'WEBP', zeros(8))).type).toBe('webp')
  expect(readHeader(bytes('GIF89a', [199, 0, 200, 0], zeros(8)))).toEqual({
    type: 'gif',
    width: 199,
    height: 200,
  })
  expect(readHeader(bytes(zeros(4), 'ftypheic', zeros(8))).type).toBe('isobmff')
  expect(readHeader(bytes('hello, this is text')).type).toBe('unknown')
  expect(readHeader(bytes('x')).type).toBe('unknown')
})
