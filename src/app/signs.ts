import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { SESSION_NOTICE_MS } from '#schema/limits'
import { joinEngine } from '../data/page.ts'
import { send } from '../data/send.ts'
import { startService } from '../data/service.ts'
import { toast } from '../ui/toasts.ts'
import { router } from './router.tsx'

let lastEnded = -Infinity

/** What engine and service worker have to tell, as words and ways; after the first screen. */
export function tellPeople(): void {
  joinEngine({
    sessionEnded() {
      if (performance.now() - lastEnded < SESSION_NOTICE_MS) return
      lastEnded = performance.now()
      toast(i18n._(msg`Veuillez vous reconnecter.`), { title: i18n._(msg`Session expirée`), tone: 'danger' })
    },
    problem(_code, detail) {
      toast(detail ?? i18n._(msg`Une erreur inattendue s'est produite.`), { title: i18n._(msg`Erreur`), tone: 'danger' })
    },
  })
  const start = (): void =>
    void startService({
      nav: (url) => router.history.push(url),
      markRead: (id) => void send('notification.read', { id }),
    })
  // Its files are those of the first screen: they come from the browser's own cache once that stands.
  if (document.readyState === 'complete') setTimeout(start, 0)
  else addEventListener('load', () => setTimeout(start, 0))
}
