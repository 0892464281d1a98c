import { useLingui } from '@lingui/react/macro'
import { ASSETS } from '#schema/port/service'
import { useLoaded } from '../../data/useLoaded.ts'

/** What opens without a network, by the files that the service worker has cached [S13.72]. */
export function OfflineScreens() {
  const { t } = useLingui()
  const controlled = Boolean(navigator.serviceWorker?.controller)
  const kept = useLoaded(controlled ? ASSETS : null, keptIn)
  if (!controlled) return null
  const screens: readonly (readonly [file: string, name: string])[] = [
    ['ListingScreen', t`annonces`],
    ['MessagesScreen', t`messages`],
    ['OutboxScreen', t`envois en attente`],
    ['CreateListingScreen', t`dépôt d’annonce`],
    ['SavedScreen', t`favoris`],
  ]
  const names = screens.flatMap(([file, name]) =>
    kept === null || kept.includes(`/${file}-`) ? [name] : [],
  )
  const list = [t`accueil`, t`listes`, ...names].join(', ')
  return <p className="quiet">{t`Disponible sans réseau : ${list}.`}</p>
}

async function keptIn(name: string) {
  try {
    const cache = await caches.open(name)
    return (await cache.keys()).map(({ url }) => url).join()
  } catch {
    return null
  }
}
