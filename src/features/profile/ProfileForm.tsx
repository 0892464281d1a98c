import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { BIO_MAX, SHOP_NAME_MAX, SHOP_NAME_MIN } from '#schema/limits'
import type { User } from '#schema/wire/account'
import { isAccepted } from '#schema/port/outcome'
import { send } from '../../data/send.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { useFirstError } from '../../ui/firstError.ts'
import { toast } from '../../ui/toasts.ts'
import css from './profile.module.css'
import { phoneOf } from './phoneNumber.ts'

interface Wrong {
  readonly shop_name?: Sentence
  readonly phone?: Sentence
  readonly bio?: Sentence
}

/** [S2.40]; saving queues a command, so it works offline. */
export function ProfileForm({ user }: { user: User }) {
  const { t } = useLingui()
  const say = useSay()
  const [shopName, setShopName] = useState(user.shop_name ?? '')
  const [phone, setPhone] = useState(user.phone ?? '')
  const [bio, setBio] = useState(user.bio)
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useFirstError(wrong)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const name = shopName.trim()
    const number = phone.trim() === '' ? null : phoneOf(phone)
    const seen: Wrong = {
      ...(name !== '' &&
        ([...name].length < SHOP_NAME_MIN || [...name].length > SHOP_NAME_MAX) && {
          shop_name: msg`De 2 à 60 caractères.`,
        }),
      ...(number === undefined && { phone: msg`Numéro de téléphone invalide.` }),
      ...([...bio.trim()].length > BIO_MAX && { bio: msg`Ce texte est trop long.` }),
    }
    setWrong(seen)
    if (Object.keys(seen).length > 0 || number === undefined) return
    const sent = await send('account.edit', {
      shop_name: name === '' ? null : name,
      phone: number,
      bio: bio.trim(),
    })
    if (isAccepted(sent)) toast(t`Profil enregistré.`, { tone: 'good' })
    else
      toast(say(whyNotQueued(sent)), {
        tone: 'danger',
        title: t`Échec de l’enregistrement du profil`,
      })
  }

  return (
    <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)}>
      <TextField
        label={t`Nom de boutique`}
        hint={t`Ce que les acheteurs lisent. Facultatif.`}
        autoComplete="organization"
        dir="auto"
        value={shopName}
        error={say(wrong.shop_name)}
        onChange={(event) => setShopName(event.target.value)}
      />
      <TextField
        label={t`Téléphone`}
        hint={t`Montré seulement à qui le demande sur vos annonces.`}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        value={phone}
        error={say(wrong.phone)}
        onChange={(event) => setPhone(event.target.value)}
      />
      <TextArea
        label={t`Présentation`}
        rows={3}
        dir="auto"
        counter={BIO_MAX}
        value={bio}
        error={say(wrong.bio)}
        onChange={(event) => setBio(event.target.value)}
      />
      <Button kind="main" type="submit">
        {t`Enregistrer`}
      </Button>
    </form>
  )
}
