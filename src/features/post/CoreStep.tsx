'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { DESCRIPTION_MAX, TITLE_MAX } from '#schema/limits'
import type { SpecField } from '#schema/wire/catalogue'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { Chip } from '../../ui/Chip.tsx'
import { Choice, TextArea, TextField } from '../../ui/Field.tsx'
import css from './CreateListingScreen.module.css'
import { priceOf } from '../../parts/typedPrice.ts'
import type { LastListing } from './lastListing.ts'
import type { BadPhoto } from './photoLabels.tsx'
import { PhotoList } from './PhotoList.tsx'
import { PlacePicker } from './PlacePicker.tsx'
import type { StepProps } from './form.ts'
import type { Photos } from './usePhotos.ts'
import { readFields } from '#schema/spec'
import { useCost } from '../../locales/cost.ts'
import { useAnswers, usePlaceName } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'

/** [S5.04]. */
export function CoreStep({
  form,
  set,
  wrong,
  asked,
  photos,
  bad,
  last,
}: StepProps & { photos: Photos; bad: BadPhoto | null; last: LastListing | null }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const format = useFormat()
  const required = asked?.price.required ?? false
  const amount = priceOf(form.price)
  const seen = typeof amount === 'number' && amount > 0 ? format.money(amount) : ''
  const rule = required
    ? undefined
    : (translate(asked?.price.absent_label ?? undefined) ?? t`Facultatif`)
  const example = exampleOf(asked?.fields ?? [])
  const same = last !== null && last.category === form.category ? last : null
  const lastPrice = priceOf(same?.price ?? '') ?? 0
  return (
    <>
      <PhotoList photos={photos} bad={bad} />
      <div className={css.offering}>
        <TextField
          label={t`Titre`}
          hint={example === '' ? undefined : t`Par exemple : ${example}`}
          required
          dir="auto"
          autoCapitalize="sentences"
          enterKeyHint="next"
          maxLength={2 * TITLE_MAX}
          value={form.title}
          error={wrong['title']}
          onValue={(title) => set({ title })}
        />
        {same && same.title !== '' && form.title === '' && (
          <Chip onClick={() => set({ title: same.title })}>{t`Reprendre « ${same.title} »`}</Chip>
        )}
      </div>
      <TextArea
        label={t`Description`}
        required
        dir="auto"
        counter={DESCRIPTION_MAX}
        value={form.description}
        error={wrong['description']}
        onValue={(description) => set({ description })}
      />
      <div className={css.offering}>
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
        {same && lastPrice > 0 && form.price === '' && (
          <Chip onClick={() => set({ price: same.price })}>
            {t`Reprendre ${format.money(lastPrice)}`}
          </Chip>
        )}
      </div>
      <Choice
        label={t`Prix négociable`}
        checked={form.negotiable}
        onChecked={(negotiable) => set({ negotiable })}
      />
      <PlacePicker place={form} last={last?.places ?? []} error={wrong['region']} onPlace={set} />
      <TextField
        label={t`Téléphone`}
        hint={
          form.phone.trim() === ''
            ? t`Sans numéro, personne ne peut vous appeler.`
            : t`Montré seulement à qui le demande.`
        }
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

function exampleOf(fields: readonly SpecField[]) {
  const brand = fields.find(({ name }) => name === 'brand')?.examples[0]
  const models = fields.find(({ name }) => name === 'model')?.suggestions_by?.values
  const model = models?.[brand ?? '']?.[0]
  return brand === undefined || model === undefined ? '' : `${brand} ${model}`
}

export function ReviewStep({ form, set, asked, photos }: StepProps & { photos: Photos }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const format = useFormat()
  const cost = useCost()
  const nameOf = usePlaceName()
  const { region, town, neighbourhood } = form
  const price = priceOf(form.price) ?? 0
  const bytes = photos.ids.reduce((sum, id) => sum + (photos.files.get(id)?.size ?? 0), 0)
  const { specs } = readFields(asked?.fields ?? [], form.specs)
  const answers = useAnswers(form.category)
  const facts: readonly (readonly [string, string])[] = [
    [t`Catégorie`, translate(categoryOf(form.category)?.name) ?? form.category],
    [
      t`Prix`,
      price > 0
        ? format.money(price).replace('\u00a0', ' ') + (form.negotiable ? `, ${t`négociable`}` : '')
        : (translate(asked?.price.absent_label ?? undefined) ?? t`Sans prix`),
    ],
    [
      t`Lieu`,
      [neighbourhood, town, region]
        .filter(Boolean)
        .map((slug) => nameOf(slug) ?? slug)
        .join(', '),
    ],
    ...(form.phone.trim() === '' ? [] : [[t`Téléphone`, form.phone.trim()] as const]),
    ...(asked?.fields ?? [])
      .filter(({ name }) => name in specs)
      .map(({ name }) => [answers.label(name), answers.value(name, specs) ?? ''] as const),
  ]
  return (
    <>
      <PhotoList photos={photos} brief />
      <p className={css.title} dir="auto">
        {form.title}
      </p>
      <p className={css.text} dir="auto">
        {form.description}
      </p>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {bytes > 0 && (
        <>
          <p className="quiet">
            <Trans>Envoi : {cost(bytes)}</Trans>
          </p>
          <Choice
            label={t`Attendre le Wi-Fi pour envoyer`}
            checked={form.wifiOnly}
            onChecked={(wifiOnly) => set({ wifiOnly })}
          />
        </>
      )}
    </>
  )
}
