import { Trans } from '@lingui/react/macro'
import { deliversClosed } from '../data/background.ts'
import { Notice } from '../ui/Notice.tsx'

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
