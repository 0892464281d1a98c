import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import Camera from 'lucide-react/icons/camera'
import { type ChangeEvent, useRef, useState } from 'react'
import { AVATAR_MIN_PX } from '#schema/limits'
import type { User } from '#schema/wire/account'
import { ask } from '../../data/ask.ts'
import { takePhoto } from '../../data/photos.ts'
import { fieldsOf, type Sentence, whyNot } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { drawCover } from '../../ui/drawCover.ts'
import { FormError } from '../../ui/Form.tsx'
import { photoLabels } from '../post/photoLabels.tsx'
import css from './AvatarPicker.module.css'

const labels: Partial<typeof photoLabels> = {
  image_too_small: msg`Image trop petite (100 × 100 pixels au moins).`,
}

/** [S2.40]; sent at once, not queued: an avatar is not worth waiting for. */
export function AvatarPicker({ user }: { user: User }) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Sentence>()

  async function put(photo: Blob | null): Promise<void> {
    setBusy(true)
    const outcome = await ask('account.avatar', { photo })
    setBusy(false)
    setWrong(outcome.kind === 'done' ? undefined : (fieldsOf(outcome)['avatar'] ?? whyNot(outcome)))
  }

  async function choose(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    setBusy(true)
    const taken = await takePhoto(file, AVATAR_MIN_PX)
    const square = taken.kind === 'taken' ? await squareOf(taken.photo) : null
    setBusy(false)
    if (square) return put(square)
    setWrong(
      taken.kind === 'refused'
        ? (labels[taken.problem] ?? photoLabels[taken.problem])
        : msg`Cette image ne peut pas être lue.`,
    )
  }

  return (
    <div className={css.face}>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t`Photo de profil`}
        onChange={(event) => void choose(event)}
      />
      <div className="row">
        <Button icon={Camera} onClick={() => input.current?.click()} busy={busy}>
          {user.avatar === null ? t`Ajouter une photo` : t`Changer la photo`}
        </Button>
        {user.avatar !== null && (
          <Button kind="quiet" onClick={() => void put(null)} disabled={busy}>
            {t`Retirer`}
          </Button>
        )}
      </div>
      <FormError error={wrong} />
    </div>
  )
}

/** Covers every avatar size of [API 4.1], at about 60 KB. */
const SIDE_PX = 512
const QUALITY = 0.85

/** The server's crop, done before the upload to save data. null: decoding failed. */
async function squareOf(photo: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(photo).catch(() => null)
  if (!picture) return null
  try {
    const side = Math.min(SIDE_PX, picture.width, picture.height)
    const canvas = new OffscreenCanvas(side, side)
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) return null
    drawCover(context, picture, side, side)
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  } finally {
    picture.close()
  }
}
