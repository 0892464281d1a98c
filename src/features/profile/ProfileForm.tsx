import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { BIO_MAX, SHOP_NAME_MAX, SHOP_NAME_MIN } from '#schema/limits'
import { phoneNumberOf } from '#schema/phoneNumber'
import type { User } from '#schema/wire/account'
import { isAccepted } from '#schema/port/outcome'
import { send } from '../../data/send.ts'
import { whyNotQueued } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { Form, useFields } from '../../ui/Form.tsx'
import { toast } from '../../ui/toasts.ts'

/** [S2.40]; saving queues a command, so it works offline. */
export function ProfileForm({ user }: { user: User }) {
  const { t } = useLingui()
  const { values, bind, wrong, setWrong } = useFields({
    shop_name: user.shop_name ?? '',
    phone: user.phone ?? '',
    bio: user.bio,
  })

  async function submit(): Promise<void> {
    const name = values.shop_name.trim()
    const phone = phoneNumberOf(values.phone)
    const bio = values.bio.trim()
    const noPhone = phone === null && values.phone.trim() !== ''
    const seen = {
      ...(name !== '' &&
        ([...name].length < SHOP_NAME_MIN || [...name].length > SHOP_NAME_MAX) && {
          shop_name: msg`De 2 à 60 caractères.`,
        }),
      ...(noPhone && { phone: msg`Numéro de téléphone invalide.` }),
      ...([...bio].length > BIO_MAX && { bio: msg`Ce texte est trop long.` }),
    }
    setWrong(seen)
    if (Object.keys(seen).length > 0) return
    const sent = await send('account.edit', {
      shop_name: name === '' ? null : name,
      phone,
      bio,
    })
    if (isAccepted(sent)) toast(t`Profil enregistré.`, { tone: 'good' })
    else
      toast(whyNotQueued(sent), {
        tone: 'danger',
        title: t`Échec de l’enregistrement du profil`,
      })
  }

  return (
    <Form wrong={wrong} onSubmit={submit}>
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
      <Button kind="main" type="submit">
        {t`Enregistrer`}
      </Button>
    </Form>
  )
}
