import { expect, test } from 'vitest'
import { openLog } from './log.ts'

function lines(use: (log: ReturnType<typeof openLog>) => void): string[] {
  const written: string[] = []
  use(openLog('info', { write: (line) => void written.push(line) }))
  return written
}

test('an error is logged with its cause and without the values that people gave', () => {
  const error = Object.assign(new Error('550 <awa@example.com>: refused, call +226 70 00 00 00'), {
    code: '23505',
    constraint: 'app_user_email_key',
    detail: 'Key (email)=(awa@example.com) already exists.',
    parameters: ['secret1'],
  })
  const [line = ''] = lines((log) => log.error({ err: error }, 'request failed'))
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request failed',
    err: {
      type: 'Error',
      message: '550 <(address)>: refused, call (number)',
      code: '23505',
      constraint: 'app_user_email_key',
    },
  })
  expect(line).not.toMatch(/awa@|secret1|70 00/)
})

test('a thrown value that is no error is not logged either', () => {
  const [line = ''] = lines((log) => log.error({ err: { password: 'secret1' } }, 'odd'))
  expect(line).not.toContain('secret1')
})
