import pg from 'pg'

/** Without a listener the `error` event of a lost connection would end the process. */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}
