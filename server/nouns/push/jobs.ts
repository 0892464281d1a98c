import type { Job } from '../../jobs/run.ts'
import type { Services } from '../../route/index.ts'
import { deliverDue } from './deliver.ts'
import { decideDue } from './outbox.ts'

/** Delivers pushes: at once for events of this process, otherwise every ten seconds. */
export const pushJob: Job<Services> = {
  name: 'push',
  everyMs: 10_000,
  run(services) {
    return deliverDue(services, () => decideDue(services.database, services.clock()))
  },
}

/** Delivers pushes deferred by quiet hours [API 12.2]: the same work under the name of [API 16]. */
export const quietSummaryJob: Job<Services> = { ...pushJob, name: 'quiet-summary', everyMs: 60_000 }
