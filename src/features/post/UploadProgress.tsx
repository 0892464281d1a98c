'use no memo'

import { useLingui } from '@lingui/react/macro'
import Check from 'lucide-react/icons/check'
import type { QueuedPhoto } from '#schema/port/ownListing'
import { StoredPhoto } from '../../parts/StoredPhoto.tsx'
import css from './Posted.module.css'
import { Ring } from './Ring.tsx'

/** Which photos are on the server; the first that is not is the one being sent. */
export function UploadProgress({
  photos,
  sending,
}: {
  photos: readonly QueuedPhoto[]
  sending: boolean
}) {
  const { t } = useLingui()
  const next = photos.findIndex(({ upload }) => upload === null)
  if (photos.length === 0) return null
  return (
    <ol aria-label={t`Envoi des photos`} className={css.uploads}>
      {photos.map(({ id, upload }, at) => {
        const n = at + 1
        return (
          <li key={id} className={css.upload}>
            <StoredPhoto id={id} alt={t`Photo ${n}`} className={css.uploaded} />
            <span className={css.progress}>
              {upload !== null ? (
                <>
                  <Check />
                  <span className="unseen">{t`envoyée`}</span>
                </>
              ) : (
                <Ring
                  done={sending && at === next ? null : 0}
                  label={sending && at === next ? t`envoi en cours` : t`attend`}
                />
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
