import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { withOperator } from './operator.ts'

const page = (html: string) => ({
  path: '/index.html',
  type: 'text/html; charset=utf-8',
  etag: 'built',
  forms: { identity: Buffer.from(html), br: Buffer.from('br'), gzip: null },
})
const web = new Map([['/index.html', page('<head><title>Yaar</title></head>')]])

test('[S13.15] the start page names the operator, in every encoding and under a new ETag', () => {
  const start = withOperator(web, { name: 'Marché & "Fils"', contact: 'aide@yaar.bf' }).get(
    '/index.html',
  )
  const html = start?.forms.identity?.toString('utf8')
  expect(html).toBe(
    '<head><title>Yaar</title><meta name="operator" content="Marché &amp; &quot;Fils&quot;">' +
      '<meta name="operator-contact" content="aide@yaar.bf"></head>',
  )
  expect(brotliDecompressSync(start?.forms.br ?? Buffer.alloc(0)).toString('utf8')).toBe(html)
  expect(start?.etag).not.toBe('built')
})

test('[S13.15] without an operator the page is the built one', () => {
  expect(withOperator(web, { name: null, contact: null })).toBe(web)
})
