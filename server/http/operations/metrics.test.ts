import { expect, test } from 'vitest'
import { testDatabase } from '../../../tests/server/support/database.ts'
import { openMetrics } from './metrics.ts'

test('[API 1.1] without the database the process metrics are served, those of the queue are not', async () => {
  const database = await testDatabase()
  const metrics = openMetrics(database)
  metrics.request('GET', 'listings/', 503, 0.01)
  await database.close()
  const output = await metrics.registry.metrics()
  expect(output).toContain(
    'http_request_duration_seconds_count{method="GET",path="listings/",status="503"} 1',
  )
  expect(output).not.toContain('jobs_waiting{')
})

test('[API 1.1] PostgreSQL connections are counted by state; the embedded database has none', async () => {
  const database = await testDatabase()
  const { registry } = openMetrics(database)
  await database.db.selectFrom('setting').select('name').execute()
  const output = await registry.metrics()
  const states = [...output.matchAll(/^database_connections\{state="(\w+)"\} \d/gm)].map(
    ([, state]) => state,
  )
  expect(states).toEqual(database.kind === 'pglite' ? [] : ['busy', 'idle', 'waiting'])
  // default metrics include the event loop's delay
  expect(output).toContain('nodejs_eventloop_lag_p99_seconds')
  await database.close()
})
