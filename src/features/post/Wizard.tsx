import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListingDraft } from '#schema/disk/draft'
import type { Entry } from '#schema/disk/entry'
import type { Sent } from '#schema/port/outcome'
import { useLiveQuery } from '../../data/read.ts'
import { send } from '../../data/send.ts'
import { fieldWords, firstWords, type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { CategoryStep } from './CategoryStep.tsx'
import { check, firstWrong, type Wrong } from './check.ts'
import { CoreStep } from './CoreStep.tsx'
import css from './CreateListingScreen.module.css'
import { DraftList } from './DraftList.tsx'
import { fieldsOf, type Form, type Step, steps, stepsOf } from './form.ts'
import { ReviewStep } from './ReviewStep.tsx'
import { SpecsStep } from './SpecsStep.tsx'
import { StepForm } from './StepForm.tsx'
import { type Content, useListingDraft } from './useListingDraft.ts'
import { usePhotos } from './usePhotos.ts'

interface Props {
  /** The draft's, and of the command that publishes it. */
  id: string
  start: Content
  /** Of the address. */
  step: string | undefined
  /** What else was begun. */
  others: readonly ListingDraft[]
  /** What the server said against it, when it was sent before. */
  refused: Entry | undefined
}

const names: Readonly<Record<Step, Sentence>> = { category: msg`Catégorie`, core: msg`Annonce`, specs: msg`Caractéristiques`, review: msg`Vérification` }

/** S2.38: four steps, each an address, so that going back goes a step back; whatever is typed is kept on the way. */
export function Wizard({ id, start, step, others, refused }: Props) {
  const { t } = useLingui()
  const say = useSay()
  const navigate = useNavigate()
  const { form, photos: ids, change, kept, flush } = useListingDraft(id, start)
  const photos = usePhotos(id, ids, (next) => change((now) => ({ ...now, photos: next(now.photos) })))
  const [wrong, setWrong] = useState<Wrong>({})
  const [trouble, setTrouble] = useState<Sentence>()
  const [busy, setBusy] = useState(false)
  const [catalogue] = useLiveQuery('catalogue.specs', {}).rows
  const asked = (catalogue?.id === 'specs' && catalogue.specs.find(({ category }) => category === form.category)) || null
  const rules = asked ?? { fields: [], price: { required: false } }
  const order = asked ? stepsOf(asked.fields) : steps
  const now = (form.category !== '' && order.find((one) => one === step)) || 'category'
  const place = order.indexOf(now)
  const next = order[place + 1]
  const before = order[place - 1]

  function open(to: Step, replace = false): void {
    void navigate({ to: '/create-listing', search: { draft: id, step: to }, replace, resetScroll: !replace })
  }

  function set(part: Partial<Form>): void {
    change((all) => ({ ...all, form: { ...all.form, ...part } }))
    // From the first word on the address names the draft: reloading finds it.
    if (step === undefined) open('category', true)
  }

  function go(to: Step, faults: Wrong = {}): void {
    setTrouble(undefined)
    setWrong(faults)
    if (to === now) return
    change((all) => ({ ...all, form: { ...all.form, step: to } }))
    open(to)
  }

  async function submit(): Promise<void> {
    if (next === undefined) return publish()
    const faults = check(now, form, rules)
    go(Object.keys(faults).length > 0 ? now : next, faults)
  }

  async function publish(): Promise<void> {
    if (!asked) return
    const fault = firstWrong(order, form, asked)
    if (fault) return go(fault.step, fault.wrong)
    const queued = ids.flatMap((photo) => ({ id: photo, bytes: photos.files.get(photo)?.size ?? 0, upload: null, round: 0 }))
    if (queued.some(({ bytes }) => bytes === 0)) return setTrouble(msg`Une photo n’est plus sur ce téléphone : retirez-la à l’étape Annonce, puis publiez.`)
    setBusy(true)
    await flush()
    const sent = await send('listing.publish', { draft: id, fields: fieldsOf(form, asked.fields), photos: queued, wifiOnly: form.wifiOnly }, id)
    setBusy(false)
    if (sent.kind === 'queued') void navigate({ to: '/create-listing', search: { draft: id, step: 'done' }, replace: true })
    else setTrouble(whyNotPublished(sent))
  }

  // What was mended meanwhile is not called wrong any more; only another try looks for new faults.
  const still = check(now, form, rules)
  const shown = Object.fromEntries(Object.entries(still).filter(([name]) => name in wrong))
  const props = { form, set, wrong: shown, asked }
  const said = refused?.problem ? [...new Set([firstWords(refused.problem), ...Object.values(fieldWords(refused.problem))])].filter((words) => words !== null) : []
  return (
    <>
      {now === 'category' && <DraftList drafts={others} />}
      <StepForm key={now} title={say(names[now])} place={place + 1} places={order.length} wrong={wrong} onSubmit={() => void submit()}>
        {!kept && (
          <Notice tone="danger" live="alert">
            <Trans>Ce téléphone n’a pas pu garder votre brouillon. Libérez de l’espace et laissez cette page ouverte.</Trans>
          </Notice>
        )}
        {(trouble !== undefined || refused) && (
          <Notice tone="danger" live="alert">
            <strong>{t`Échec de l’envoi`}</strong>
            {trouble !== undefined && <p>{say(trouble)}</p>}
            {said.map((words) => (
              <p key={words}>{words}</p>
            ))}
          </Notice>
        )}
        {now === 'category' && <CategoryStep {...props} />}
        {now === 'core' && <CoreStep {...props} photos={photos} />}
        {now === 'specs' && <SpecsStep {...props} />}
        {now === 'review' && <ReviewStep {...props} photos={photos} />}
        <div className={css.bar}>
          {before !== undefined && <Button onClick={() => go(before)}>{t`Retour`}</Button>}
          {next === undefined ? (
            <Button kind="main" type="submit" disabled={busy || photos.busy > 0} aria-busy={busy}>{t`Publier`}</Button>
          ) : (
            <Button kind="main" type="submit">{t`Continuer`}</Button>
          )}
        </div>
      </StepForm>
    </>
  )
}

/** S8.14. */
function whyNotPublished(sent: Exclude<Sent, { kind: 'queued' }>): Sentence {
  if (sent.kind === 'refused' && sent.code === 'not_authenticated') return msg`Connexion requise. Connectez-vous puis réessayez.`
  return whyNotQueued(sent)
}
