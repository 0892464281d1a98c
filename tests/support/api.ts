import ky from 'ky'

export class Person {
  readonly #root: string
  token = ''
  username = ''
  id = ''

  constructor(url: string) {
    this.#root = `${url}/api/`
  }

  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await ky(this.#root + path, {
      method,
      headers: this.token === '' ? {} : { authorization: `Token ${this.token}` },
      ...(body === undefined ? {} : { json: body }),
      retry: 0,
      timeout: 120_000,
      throwHttpErrors: false,
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  async signIn(username: string, password = 'marche2026'): Promise<this> {
    return this.#take(await this.ask('POST', 'auth/login/', { username, password }))
  }

  async register(username: string): Promise<this> {
    return this.#take(
      await this.ask('POST', 'auth/register/', {
        username,
        email: `${username}@example.com`,
        password: 'marche2026',
      }),
    )
  }

  #take(answer: unknown): this {
    this.token = text(answer, 'token')
    const user = member(answer, 'user')
    this.username = text(user, 'username')
    this.id = text(user, 'id')
    return this
  }
}

/** A member of any value; undefined if there is none. */
export function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined
}

export function text(of: unknown, name: string): string {
  const value = member(of, name)
  if (typeof value !== 'string')
    throw new Error(`no text ${name} in ${JSON.stringify(of)?.slice(0, 200)}`)
  return value
}

export function list(of: unknown, name: string): readonly unknown[] {
  const value = member(of, name)
  if (!Array.isArray(value))
    throw new Error(`no list ${name} in ${JSON.stringify(of)?.slice(0, 200)}`)
  return value
}
