import type { SendResult } from '#schema/port/outcome'
import { whyNotQueued } from '../locales/problems.ts'
import { toast } from '../ui/toasts.ts'

export async function queuedOrToast(sent: Promise<SendResult>, title?: string) {
  const why = whyNotQueued(await sent)
  if (why !== undefined) toast(why, { tone: 'danger', ...(title !== undefined && { title }) })
  return why === undefined
}
