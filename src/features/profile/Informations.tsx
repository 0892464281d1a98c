import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Camera, MailCheck, MailWarning } from 'lucide-react'
import { useRef, useState } from 'react'
import { AVATAR_MIN_PX, BIO_MAX, SHOP_NAME_MAX, SHOP_NAME_MIN } from '#schema/limits'
import { phoneNumberOf } from '#schema/phoneNumber'
import type { User } from '#schema/wire/account'
import { ask, send } from '../../data/ask.ts'
import { takePhoto } from '../../data/photos.ts'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { fieldsOf, type Sentence, whyNot } from '../../locales/problems.ts'
import { Section } from '../../parts/Page.tsx'
import { queuedOrToast } from '../../parts/queuedOrToast.ts'
import { Button } from '../../ui/Button.tsx'
import { chosenFiles } from '../../ui/chosenFiles.ts'
import { drawCover } from '../../ui/drawCover.ts'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { Form, FormError, useForm } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { useCooldown } from '../auth/useCooldown.ts'
import { photoLabels } from '../post/photoLabels.tsx'

/** [S2.40] */
export function Informations({ user }: { user: User }) {
  const { t } = useLingui()
  const { day } = useFormat()
  const since = day(Date.parse(user.date_joined))
  return (
    <Section id="informations" title={t`Mes informations`} card>
      <AvatarPicker user={user} />
      <EmailState user={user} />
      <ProfileForm key={user.updated_at} user={user} />
      <p className="quiet">
        <Trans>Membre depuis le {since}</Trans>
      </p>
    </Section>
  )
}

const labels: Partial<typeof photoLabels> = {
  image_too_small: msg`Image trop petite (100 × 100 pixels au moins).`,
}

/** Not queued: an avatar is not worth waiting for. */
function AvatarPicker({ user }: { user: User }) {
  const { t } = useLingui()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Sentence>()

  async function put(photo: Blob | null) {
    setBusy(true)
    const outcome = await ask('account.avatar', { photo })
    setBusy(false)
    setWrong(outcome.kind === 'done' ? undefined : (fieldsOf(outcome)['avatar'] ?? whyNot(outcome)))
  }

  async function choose([file]: readonly File[]) {
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
    <div className="line row">
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t`Photo de profil`}
        onChange={chosenFiles((files) => void choose(files))}
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

/** [API 4.1] */
const SIDE_PX = 512
const QUALITY = 0.85

/** null: decoding failed. */
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

/** [S7.14, S8.10] */
function EmailState({ user }: { user: User }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const [note, setNote] = useState<{ readonly good: boolean; readonly text: Sentence } | null>(null)
  const cooldown = useCooldown()

  async function verify() {
    const outcome = await ask('account.requestVerification', {})
    if (outcome.kind === 'done') {
      cooldown.start(outcome.answer.cooldown_seconds)
      setNote({
        good: true,
        text:
          outcome.answer.status === 'sent'
            ? msg`E-mail de vérification envoyé.`
            : msg`Cette adresse e-mail est déjà vérifiée.`,
      })
      return
    }
    if (outcome.kind === 'later' && outcome.retryAfterMs !== null)
      cooldown.start(outcome.retryAfterMs / 1000)
    setNote({ good: false, text: whyNot(outcome, msg`Impossible de demander la vérification.`) })
  }

  return (
    <>
      <Notice
        tone={user.email_verified ? 'good' : 'wait'}
        icon={user.email_verified ? MailCheck : MailWarning}
        action={
          !user.email_verified && (
            <Button kind="quiet" onClick={() => void verify()} disabled={cooldown.left > 0}>
              {cooldown.left > 0 ? <Trans>Renvoyer dans {cooldown.left} s</Trans> : t`Vérifier`}
            </Button>
          )
        }
      >
        <bdi>{user.email}</bdi> · {user.email_verified ? t`vérifié` : t`non vérifié`}
      </Notice>
      <div role="status">
        {note && <Notice tone={note.good ? 'good' : 'danger'}>{translate(note.text)}</Notice>}
      </div>
    </>
  )
}

function ProfileForm({ user }: { user: User }) {
  const { t } = useLingui()
  const { bind, state } = useForm(
    { shop_name: user.shop_name ?? '', phone: user.phone ?? '', bio: user.bio },
    {
      check({ shop_name, phone, bio }) {
        const { length } = [...shop_name.trim()]
        return {
          ...(length > 0 &&
            (length < SHOP_NAME_MIN || length > SHOP_NAME_MAX) && {
              shop_name: msg`De 2 à 60 caractères.`,
            }),
          ...(phone.trim() !== '' &&
            phoneNumberOf(phone) === null && { phone: msg`Numéro de téléphone invalide.` }),
          ...([...bio.trim()].length > BIO_MAX && { bio: msg`Ce texte est trop long.` }),
        }
      },
      async send({ shop_name, phone, bio }) {
        const sent = send('account.edit', {
          shop_name: shop_name.trim() || null,
          phone: phoneNumberOf(phone),
          bio: bio.trim(),
        })
        if (await queuedOrToast(sent, t`Échec de l’enregistrement du profil`))
          toast(t`Profil enregistré.`, { tone: 'good' })
        return {}
      },
    },
  )

  return (
    <Form {...state} action={t`Enregistrer`}>
      <TextField
        label={t`Nom de boutique`}
        hint={t`Ce que les acheteurs lisent. Facultatif.`}
        autoComplete="organization"
        dir="auto"
        {...bind('shop_name')}
      />
      <TextField
        label={t`Téléphone`}
        hint={t`Montré seulement à qui le demande sur vos annonces.`}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        {...bind('phone')}
      />
      <TextArea label={t`Présentation`} rows={3} dir="auto" counter={BIO_MAX} {...bind('bio')} />
    </Form>
  )
}
