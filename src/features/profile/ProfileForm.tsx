import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { BIO_MAX, SHOP_NAME_MAX, SHOP_NAME_MIN } from '#schema/limits'
import { phoneNumberOf } from '#schema/phoneNumber'
import type { User } from '#schema/wire/account'
import { send } from '../../data/send.ts'
import { queuedOrToast } from '../../parts/queuedOrToast.ts'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { Form, useForm } from '../../ui/Form.tsx'
import { toast } from '../../ui/toasts.ts'

/** [S2.40] */
export function ProfileForm({ user }: { user: User }) {
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
