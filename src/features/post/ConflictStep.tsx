import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import { clashes, type Current, rebase } from '#schema/edit'
import type { Payload } from '#schema/port/command'
import { ask, send } from '../../data/ask.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, Group } from '../../ui/Field.tsx'
import { FormError } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './ConflictStep.module.css'
import { DraftPhoto, ServerPhotos } from './DraftPhoto.tsx'
import { formOf, isEmpty, startAt, withEdit } from './form.ts'
import type { ListingFields } from '#schema/port/ownListing'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { useAnswers, usePlaceName } from '../../parts/catalogue.ts'
import { categoryOf } from '../../parts/categories.ts'

interface Props {
  entry: Entry
  payload: Payload<'listing.edit'>
  now: Current
}

/** [API 9.2]: both values of each field, to choose. */
export function ConflictStep({ entry, payload, now }: Props) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const [trouble, setTrouble] = useState<Sentence>()
  const mine = withEdit(now.fields, payload)
  const names = clashes(payload, now)
  const words = useFieldTexts(mine.category)
  // A photo removed by the other device is not restored.
  const photos = rebase(payload, now, () => true).images?.order ?? now.images
  const there = new Map(now.pictures.map((one) => [one.id, one]))

  function choose(name: string, own: boolean) {
    setTheirs((all) => new Set(own ? [...all].filter((one) => one !== name) : [...all, name]))
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const next = rebase(payload, now, (name) => !theirs.has(name))
    if (isEmpty(next)) {
      await ask('outbox.remove', { id: entry.id })
      await ask('draft.removeListing', { id: payload.draft })
      return navigate({ to: '/profile', search: { tab: 'listings' } })
    }
    const order = next.images?.order ?? now.images
    await ask('draft.keepListing', {
      id: payload.draft,
      fields: {
        ...formOf(withEdit(now.fields, next), { wifiOnly: payload.wifiOnly }),
        start: startAt(now),
      },
      photos: [...order],
      listing: payload.listing,
    })
    const why = whyNotQueued(
      await send('listing.edit', {
        ...payload,
        ...next,
        photos: payload.photos.filter(({ id }) => order.includes(id)),
        baseVersion: now.version,
      }),
    )
    if (why !== undefined) return setTrouble(why)
    return navigate({
      to: '/create-listing',
      search: { listing: payload.listing, draft: payload.draft, step: 'done' },
      replace: true,
    })
  }

  return (
    <ServerPhotos value={there}>
      <form className={css.form} onSubmit={(event) => void submit(event)}>
        <Notice tone="wait" live="alert">
          <strong>{t`Cette annonce a été modifiée entre-temps, sur un autre appareil.`}</strong>
          <p>
            {names.length > 0
              ? t`Rien de ce que vous avez écrit n’est perdu. Choisissez ce qui reste.`
              : t`Vos changements ne se contredisent pas : ils peuvent partir.`}
          </p>
        </Notice>
        <FormError error={trouble} />
        {names.map((name) => (
          <Group key={name} legend={words.label(name)}>
            {[true, false].map((own) => (
              <Choice
                key={String(own)}
                type="radio"
                name={name}
                className={css.choice}
                checked={own !== theirs.has(name)}
                onChange={() => choose(name, own)}
                label={
                  <>
                    <span className={css.side}>{own ? t`Écrit ici` : t`De l’autre appareil`}</span>
                    {name === 'images' ? (
                      <Pictures ids={own ? photos : now.images} />
                    ) : (
                      <span dir="auto" className={css.value}>
                        {words.value(name, own ? mine : now.fields)}
                      </span>
                    )}
                  </>
                }
              />
            ))}
          </Group>
        ))}
        <div className="row">
          <Button kind="main" type="submit">
            {t`Envoyer ces choix`}
          </Button>
        </div>
      </form>
    </ServerPhotos>
  )
}

function Pictures({ ids }: { ids: readonly string[] }) {
  const { t } = useLingui()
  if (ids.length === 0) return t`Aucune photo`
  return (
    <span className={css.shots}>
      {ids.map((id, index) => (
        <DraftPhoto key={id} id={id} alt={t`Photo ${index + 1}`} className={css.shot} />
      ))}
    </span>
  )
}

/** By names in [API 5.3], and `specs.NAME`. */
function useFieldTexts(category: string) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { money } = useFormat()
  const placeName = usePlaceName()
  const answer = useAnswers(category)
  const labels: Readonly<Record<string, string>> = {
    title: t`Titre`,
    description: t`Description`,
    category: t`Catégorie`,
    price: t`Prix`,
    negotiable: t`Prix négociable`,
    region: t`Région`,
    town: t`Ville`,
    neighbourhood: t`Quartier`,
    location_note: t`Lieu`,
    contact_phone: t`Téléphone`,
    images: t`Photos`,
  }
  const none = t`Aucun`

  function value(name: string, fields: ListingFields) {
    const spec = specIn(name)
    if (spec !== null) return answer.value(spec, fields.specs) ?? none
    switch (name) {
      case 'category':
        return translate(categoryOf(fields.category)?.name) ?? fields.category
      case 'price':
        return fields.price === null ? t`Sans prix` : money(fields.price)
      case 'negotiable':
        return fields.negotiable ? t`Oui` : t`Non`
      case 'region':
      case 'town':
      case 'neighbourhood':
        return placeName(fields[name]) ?? fields[name] ?? none
      case 'title':
      case 'description':
      case 'location_note':
      case 'contact_phone':
        return fields[name] ?? none
      default:
        return ''
    }
  }

  return { label: (name: string) => labels[name] ?? answer.label(specIn(name) ?? name), value }
}

function specIn(name: string) {
  return name.startsWith('specs.') ? name.slice('specs.'.length) : null
}
