import { Trans } from '@lingui/react/macro'
import { deliversClosed } from '../data/background.ts'
import { Notice } from '../ui/Notice.tsx'

/** Where the browser has no Background Sync, what waits goes only while the app is open: said before somebody closes it. */
export function KeepOpen() {
  if (deliversClosed()) return null
  return (
    <Notice>
      <Trans>
        Gardez l’application ouverte pour que vos envois partent : ce navigateur n’envoie rien quand
        elle est fermée.
      </Trans>
    </Notice>
  )
}
