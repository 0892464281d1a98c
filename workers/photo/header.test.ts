import { expect, test } from 'vitest'
import { readHeader } from './header.ts'

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part)))
const zeros = (n: number): readonly number[] => Array.from({ length: n }, () => 0)

test('[S5.05] reads the size of a JPEG behind its metadata, without decoding it', () => {
  const jpeg = bytes([0xff, 0xd8, 0xff, 0xe1, 0x00, 0x06, 1, 2, 3, 4, 0xff, 0xc0, 0x00, 0x11, 8, 0x0b, 0xb8, 0x0f, 0xa0, 3], zeros(20))
  expect(readHeader(jpeg)).toEqual({ type: 'jpeg', width: 4000, height: 3000 })
})

test('[S5.05] tells PNG, WebP, GIF, films and HEIC, and rubbish apart', () => {
  expect(readHeader(bytes([0x89], 'PNG', [13, 10, 26, 10], zeros(8), [0, 0, 3, 32], [0, 0, 2, 88]))).toEqual({ type: 'png', width: 800, height: 600 })
  expect(readHeader(bytes('RIFF', zeros(4), 'WEBP', zeros(8))).type).toBe('webp')
  expect(readHeader(bytes('GIF89a', [199, 0, 200, 0], zeros(8)))).toEqual({ type: 'gif', width: 199, height: 200 })
  expect(readHeader(bytes(zeros(4), 'ftypheic', zeros(8))).type).toBe('isobmff')
  expect(readHeader(bytes('hello, this is text')).type).toBe('unknown')
  expect(readHeader(bytes('x')).type).toBe('unknown')
})
