import { expect, test } from 'vitest'
import { requestBytes, textBytes } from './size.ts'

test('the size of a form includes its files', async () => {
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

test('texts are counted in bytes, not characters', () => {
  const plain = requestBytes('/api/x', {}, '')
  expect(requestBytes('/api/x', {}, 'é') - plain).toBe(2)
  expect(requestBytes('/api/xy', { a: 'bc' }, '') - plain).toBe(1 + 1 + 2 + 4)
  expect(textBytes('né') - textBytes('ne')).toBe(1)
})
