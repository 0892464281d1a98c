import { expect, test } from 'vitest'
import { frameBytes, requestBytes } from './size.ts'

test('a form is as long as its parts: what a photo weighs is counted, not only that it was sent', async () => {
  const form = new FormData()
  form.append('content', 'Voilà')
  form.append(
    'attachment',
    new Blob([new Uint8Array(200_000)], { type: 'image/jpeg' }),
    'photo.jpg',
  )
  const sent = requestBytes('/api/x', { accept: 'application/json' }, form)
  const wire = (await new Response(form).arrayBuffer()).byteLength
  expect(Math.abs(sent - wire)).toBeLessThan(600)
})

test('a text is counted in bytes, not in letters, and so are the frames of a socket', () => {
  const plain = requestBytes('/api/x', {}, '')
  expect(requestBytes('/api/x', {}, 'é') - plain).toBe(2)
  expect(requestBytes('/api/xy', { a: 'bc' }, '') - plain).toBe(1 + 1 + 2 + 4)
  expect(frameBytes('received', 'né') - frameBytes('received', 'ne')).toBe(1)
})
