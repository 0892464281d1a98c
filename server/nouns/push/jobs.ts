import type { Job } from '../../jobs/run.ts'
import { deliverDue } from './deliver.ts'
import { decideDue } from './outbox.ts'

/** Wakes phones: at once when something happened in this process, else every ten seconds. */
export const pushJob: Job = {
  name: 'push',
  everyMs: 10_000,
  run(services) {
    return deliverDue(services, () => decideDue(services.database, services.clock()))
  },
}

/** What quiet hours held back leaves when they end [API 12.2]: the same work, under the name that [API 16] gives it. */
export const quietSummaryJob: Job = { ...pushJob, name: 'quiet-summary', everyMs: 60_000 }
