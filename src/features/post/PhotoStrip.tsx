import { useLingui } from '@lingui/react/macro'
import css from './CreateListingScreen.module.css'
import { DraftPhoto } from './DraftPhoto.tsx'
import type { Photos } from './usePhotos.ts'

export function PhotoStrip({ photos: { ids, files } }: { photos: Photos }) {
  const { t } = useLingui()
  if (ids.length === 0) return null
  return (
    <ol className="row" aria-label={t`Photos`}>
      {ids.map((id, index) => (
        <li key={id}>
          <DraftPhoto
            id={id}
            file={files.get(id) ?? null}
            alt={t`Photo ${index + 1}`}
            className={css.small}
          />
        </li>
      ))}
    </ol>
  )
}
