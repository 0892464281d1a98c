import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import { clashes, type Current, rebase } from '#schema/edit'
import type { Payload } from '#schema/port/command'
import { ask } from '../../data/ask.ts'
import { send } from '../../data/send.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, Group } from '../../ui/Field.tsx'
import { FormError } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './ConflictStep.module.css'
import { DraftPhoto, ServerPhotos } from './DraftPhoto.tsx'
import { formOf, isEmpty, startAt, withEdit } from './editing.ts'
import { useFieldTexts } from './useFieldTexts.ts'

interface Props {
  entry: Entry
  payload: Payload<'listing.edit'>
  now: Current
}

/**
 * Resolves an edit conflict [API 9.2]: shows both values of each field and lets the user choose.
 */
export function ConflictStep({ entry, payload, now }: Props) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const [trouble, setTrouble] = useState<Sentence>()
  const mine = withEdit(now.fields, payload)
  const names = clashes(payload, now)
  const words = useFieldTexts(mine.category)
  // A photo removed by the other device is not restored, so it is not shown either.
  const photos = rebase(payload, now, () => true).images?.order ?? now.images
  const there = new Map(now.pictures.map((one) => [one.id, one]))

  function choose(name: string, own: boolean): void {
    setTheirs((all) => new Set(own ? [...all].filter((one) => one !== name) : [...all, name]))
  }

  async function submit(event: FormEvent): Promise<void> {
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
