'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { readFields } from '#schema/spec'
import { useCost } from '../../locales/cost.ts'
import { useFormat } from '../../locales/format.ts'
import { useTranslate } from '../../locales/translate.ts'
import { useAnswers, usePlaceName } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'
import { Choice } from '../../ui/Field.tsx'
import css from './CreateListingScreen.module.css'
import { priceOf } from '../../parts/typedPrice.ts'
import { PhotoList } from './PhotoList.tsx'
import type { StepProps } from './form.ts'
import type { Photos } from './usePhotos.ts'

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
