import { useLingui } from '@lingui/react/macro'
import { DESCRIPTION_MAX, TITLE_MAX } from '#schema/limits'
import { useFormat } from '../../locales/format.ts'
import { useTranslate } from '../../locales/translate.ts'
import { PlaceFields } from '../../parts/PlaceFields.tsx'
import { Choice, TextArea, TextField } from '../../ui/Field.tsx'
import { priceOf } from './form.ts'
import { type BadPhoto, PhotoList } from './PhotoList.tsx'
import type { StepProps } from './check.ts'
import type { Photos } from './usePhotos.ts'

/** [S5.04]. */
export function CoreStep({
  form,
  set,
  wrong,
  asked,
  photos,
  bad,
}: StepProps & { photos: Photos; bad: BadPhoto | null }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const format = useFormat()
  const required = asked?.price.required ?? false
  const amount = priceOf(form.price)
  const seen = typeof amount === 'number' && amount > 0 ? format.money(amount) : ''
  const rule = required
    ? t`Obligatoire`
    : (translate(asked?.price.absent_label ?? undefined) ?? t`Facultatif`)
  return (
    <>
      <PhotoList photos={photos} bad={bad} />
      <TextField
        label={t`Titre`}
        hint={t`Obligatoire. 5 caractères ou plus.`}
        required
        dir="auto"
        autoCapitalize="sentences"
        enterKeyHint="next"
        maxLength={2 * TITLE_MAX}
        value={form.title}
        error={wrong['title']}
        onValue={(title) => set({ title })}
      />
      <TextArea
        label={t`Description`}
        hint={t`Obligatoire`}
        required
        dir="auto"
        counter={DESCRIPTION_MAX}
        value={form.description}
        error={wrong['description']}
        onValue={(description) => set({ description })}
      />
      <TextField
        label={t`Prix (F CFA)`}
        hint={seen === '' ? rule : seen}
        required={required}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="next"
        value={form.price}
        error={wrong['price']}
        onValue={(price) => set({ price })}
      />
      <Choice
        label={t`Prix négociable`}
        checked={form.negotiable}
        onChecked={(negotiable) => set({ negotiable })}
      />
      <PlaceFields
        place={form}
        none={[t`Choisir une région`, t`Choisir une ville`, t`Choisir un quartier`]}
        required
        error={wrong['region']}
        onPlace={set}
      />
      <TextField
        label={t`Téléphone`}
        hint={t`Facultatif. Montré seulement à qui le demande.`}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        value={form.phone}
        error={wrong['phone']}
        onValue={(phone) => set({ phone })}
      />
    </>
  )
}
