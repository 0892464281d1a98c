import pg from 'pg'

/**
 * A connection to PostgreSQL. Its loss is reported by the queries that it fails; the `error` event says the same again, and would
 * end the process where nobody listens, such as on a client that the pool has lent.
 */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}
