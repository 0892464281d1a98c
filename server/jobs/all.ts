import { announceJob } from '../admin/announce.ts'
import { variantsJob } from '../files/avif.ts'
import { mailJob } from '../mail/job.ts'
import { responseTimesJob } from '../nouns/account/response-times.ts'
import { pushJob, quietSummaryJob } from '../nouns/push/jobs.ts'
import type { Job } from './run.ts'
import { sweepJob } from './sweep.ts'
import { vacuumJob } from './vacuum.ts'

/** Every job, by the names of `npm run admin -- jobs`. */
export const jobs: readonly Job[] = [announceJob, mailJob, pushJob, quietSummaryJob, responseTimesJob, sweepJob, vacuumJob, variantsJob]
