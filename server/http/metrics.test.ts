import { expect, test } from 'vitest'
import { testDatabase } from '../db/testing.ts'
import { openMetrics } from './metrics.ts'

test('[API 1.1] the numbers of the process are told while the database is away, without those of the queue', async () => {
  const database = await testDatabase()
  const metrics = openMetrics(database)
  metrics.request('GET', 'listings/', 503, 0.01)
  await database.close()
  const said = await metrics.registry.metrics()
  expect(said).toContain('http_request_duration_seconds_count{method="GET",path="listings/",status="503"} 1')
  expect(said).not.toContain('jobs_waiting{')
})
