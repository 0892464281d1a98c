import { expect, onTestFinished, test, vi } from 'vitest'
import { upload } from './upload.ts'

const URL = 'https://yaar.example/api/x/'

class Sending extends EventTarget {
  readonly upload = new EventTarget()
  readonly status = 400
  readonly responseText = '{"code":"image_too_large"}'
  responseURL = URL
  open(): void {}
  setRequestHeader(): void {}
  send(): void {
    queueMicrotask(() => this.dispatchEvent(new Event('load')))
  }
  getAllResponseHeaders(): string {
    return 'content-type: application/json\r\ndate: Mon, 01 Jun 2026 10:00:00 GMT\r\nretry-after: 7\r\n'
  }
}

function answer(where: typeof Sending): Promise<Response> {
  vi.stubGlobal('XMLHttpRequest', where)
  onTestFinished(() => void vi.unstubAllGlobals())
  return upload(new Request(URL, { method: 'POST' }), {
    signal: new AbortController().signal,
    form: new FormData(),
    progress: () => undefined,
  })
}

test('the answer to a form has status, headers and body', async () => {
  const answered = await answer(Sending)
  expect(answered.status).toBe(400)
  expect(Object.fromEntries(answered.headers)).toEqual({
    'content-type': 'application/json',
    date: 'Mon, 01 Jun 2026 10:00:00 GMT',
    'retry-after': '7',
  })
  expect(await answered.json()).toEqual({ code: 'image_too_large' })
})

test('a form that was redirected is answered by somebody else', async () => {
  class Redirected extends Sending {
    override responseURL = 'http://portal.example/'
  }
  expect((await answer(Redirected)).status).toBe(0)
})
