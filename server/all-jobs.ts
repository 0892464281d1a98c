import { announceJob } from './nouns/notification/announcement.ts'
import { variantsJob } from './files/avif.ts'
import { filesJob } from './files/orphanCheck.ts'
import { mailJob } from './mail/job.ts'
import { letterOf } from './nouns/account/letters.ts'
import { responseTimesJob } from './nouns/account/response-times.ts'
import { followersJob } from './nouns/follow/routes.ts'
import {
  archiveSoldJob,
  countsJob,
  expireJob,
  forgetJob,
  unfeatureJob,
} from './nouns/listing/jobs.ts'
import { pushJob, quietSummaryJob } from './nouns/push/deliver.ts'
import { alertsJob } from './nouns/search/alerts.ts'
import type { Job } from './jobs/run.ts'
import type { Services } from './route/services.ts'
import { sweepJob } from './sweep.ts'
import { vacuumJob } from './jobs/vacuum.ts'

export const jobs: readonly Job<Services>[] = [
  alertsJob,
  announceJob,
  archiveSoldJob,
  countsJob,
  expireJob,
  filesJob,
  followersJob,
  forgetJob,
  mailJob(letterOf),
  pushJob,
  quietSummaryJob,
  responseTimesJob,
  sweepJob,
  unfeatureJob,
  vacuumJob,
  variantsJob,
]
