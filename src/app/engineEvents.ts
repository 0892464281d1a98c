import { msg } from '@lingui/core/macro'
import { SESSION_NOTICE_MS } from '#schema/limits'
import { joinEngine, movedTo } from '../data/page.ts'
import { send } from '../data/ask.ts'
import { startService } from '../data/service.ts'
import { toast } from '../ui/toasts.ts'
import type { AppRouter } from './router.tsx'

let lastEnded = -Infinity
const newer = msg`Une version plus récente de l’application a servi sur ce téléphone. \
Fermez tous ses onglets, puis rouvrez-la.`

export function showEngineEvents(router: AppRouter) {
  joinEngine({
    sessionEnded() {
      if (performance.now() - lastEnded < SESSION_NOTICE_MS) return
      lastEnded = performance.now()
      toast(msg`Veuillez vous reconnecter.`, { title: msg`Session expirée`, tone: 'danger' })
    },
    problem(code, detail) {
      const unknown = code === 'outdated' ? newer : msg`Une erreur inattendue s'est produite.`
      toast(detail ?? unknown, { title: msg`Erreur`, tone: 'danger' })
    },
  })
  router.subscribe('onResolved', ({ toLocation }) => movedTo(toLocation.pathname))
  const start = () =>
    void startService({
      nav: (url) => router.history.push(url),
      markRead: (id) => void send('notification.read', { id }),
    })
  // Its files are those of the first screen: after load they come from the HTTP cache.
  if (document.readyState === 'complete') setTimeout(start, 0)
  else addEventListener('load', () => setTimeout(start, 0))
}
