import pg from 'pg'

/**
 * A connection to PostgreSQL. The queries that fail report its loss. Without a listener the `error`
 * event, which repeats it, would end the process, for example on a client that the pool has lent.
 */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}
