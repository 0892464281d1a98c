import { connect, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'

/** What a client sends before the reset, and whether it waits for an answer first. */
interface Stage {
  readonly name: string
  readonly sends: readonly (string | Buffer)[]
  /** Resets once something arrives; else as soon as all is sent. */
  readonly answers: boolean
}

const upgrade = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n${more}\r\n`
const read = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const write = (type: string, length: number): string =>
  `POST /api/auth/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
const form =
  '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
const upload = (token: string): string =>
  `POST /api/uploads/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${token}\r\n` +
  'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 400000\r\n\r\n'
/** A client's text frame with a zero mask. */
const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 + text.length, 0, 0, 0, 0]), Buffer.from(text)])
const socketPath = (token: string): string => `/ws/notifications/?token=${token}`

/** Stages of a request, an upload, an upgrade and a socket at which the client resets. */
export function stagesOf(token: string): Stage[] {
  const sends: Record<string, (string | Buffer)[]> = {
    'no byte': [],
    'half the headers': ['GET /api/listings/ HTTP/1.1\r\nHost: x\r\nAccept'],
    'no HTTP': ['\u0000\u0001 nonsense\r\n\r\n'],
    'a list': [read('/api/listings/')],
    'a page': [read('/')],
    'two in a row': [read('/api/health/'), read('/api/listings/')],
    'half a body': [write('application/json', 1000), '{"username": "'],
    'half an upload': [upload(token), form, randomBytes(60_000)],
    'a waiting expectation': [
      'POST /api/auth/login/ HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    ],
    'half an upgrade': [upgrade(socketPath(token)).slice(0, 90)],
    'an upgrade of another path': [upgrade('/elsewhere')],
    'an upgrade of another origin': [
      upgrade(socketPath(token), 'Origin: https://elsewhere.example\r\n'),
    ],
    'an upgrade without a key': [upgrade(socketPath(token)).replace(/Sec-WebSocket-Key.*\r\n/, '')],
    'an upgrade with a wrong token': [upgrade(socketPath('x'))],
    'an upgrade': [upgrade(socketPath(token))],
    'an upgrade with frames behind it': [
      upgrade(socketPath(token)),
      frame('{"type":"ping"}'),
      Buffer.from([0xff, 0xff]),
    ],
    'a tunnel': ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  }
  return Object.entries(sends).flatMap(([name, list]) =>
    [false, true].map((answers) => ({
      name: `${name}, ${answers ? 'answered' : 'unanswered'}`,
      sends: list,
      answers,
    })),
  )
}

/** Runs one stage and resets the connection after at most `patienceMs`; resolves on close. */
export async function resetAt(
  port: number,
  { sends, answers }: Stage,
  patienceMs = 300,
): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined)
  socket.once('connect', () => {
    socket.setNoDelay(true)
    for (const one of sends) socket.write(one)
    if (answers) resetOnData(socket, patienceMs)
    else socket.write('', () => socket.resetAndDestroy())
  })
  await closed
}

function resetOnData(socket: Socket, patienceMs: number): void {
  socket.once('data', () => socket.resetAndDestroy())
  const timer = setTimeout(() => socket.resetAndDestroy(), patienceMs)
  socket.once('close', () => clearTimeout(timer))
}
