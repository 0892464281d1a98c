import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { MessageDocument } from '#schema/disk/documents'
import { PhotoDialog } from '../../parts/PhotoDialog.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FilePhoto, useStoredPhoto } from '../../parts/StoredPhoto.tsx'
import { classes } from '../../ui/classes.ts'
import css from './MessagePhoto.module.css'

/** An own photo renders from the local copy while mounted: its sender never downloads it. */
export function MessagePhoto({
  message: { photo, attachment, sender_username: name },
  own,
  album,
}: {
  message: MessageDocument
  own: boolean
  album: boolean
}) {
  const { t } = useLingui()
  // Once sent, the message no longer names it.
  const [local] = useState(photo ?? null)
  const file = useStoredPhoto(local)
  const [whole, setWhole] = useState(false)
  if (photo === undefined && attachment === null) return null

  const alt = own ? t`Votre photo` : t`Photo envoyée par ${name}`
  const picture = (className: string | undefined, widest: number) =>
    file || !attachment ? (
      <FilePhoto file={file} alt={alt} className={className} />
    ) : (
      <Picture
        image={{ ...attachment, position: 0 }}
        alt={alt}
        category="other"
        sizes={widest > 640 ? '100vw' : '15rem'}
        widest={widest}
        className={className}
      />
    )
  return (
    <div className={classes(css.photo, album && css.album)}>
      <button
        type="button"
        className={css.open}
        aria-label={t`Agrandir la photo`}
        onClick={() => setWhole(true)}
      />
      {picture(css.still, 640)}
      <PhotoDialog open={whole} onClose={() => setWhole(false)} title={alt}>
        {picture(css.fit, 1280)}
      </PhotoDialog>
    </div>
  )
}
