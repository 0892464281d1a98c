import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ListingDraft } from '#schema/disk/draft'
import type { Entry } from '#schema/disk/entry'
import type { SendResult } from '#schema/port/outcome'
import type { Share } from '#schema/port/share'
import { send } from '../../data/ask.ts'
import { useSession } from '../../data/session.ts'
import { fieldTexts, firstText, type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { useSpecs } from '../../parts/catalogue.ts'
import { Button } from '../../ui/Button.tsx'
import { useMedia } from '../../ui/media.ts'
import { Notice } from '../../ui/Notice.tsx'
import { vibrate } from '../../ui/vibrate.ts'
import { CategoryStep } from './CategoryStep.tsx'
import { check, firstWrong } from './check.ts'
import {
  type EditContext,
  fieldsOf,
  type Form,
  type Step,
  steps,
  stepsOf,
  type Wrong,
} from './form.ts'
import { CoreStep, ReviewStep } from './CoreStep.tsx'
import css from './CreateListingScreen.module.css'
import { DraftList } from './DraftList.tsx'
import { type LastListing, rememberListing } from './lastListing.ts'
import { LivePreview } from './ListingPreview.tsx'
import { PhotoList } from './PhotoList.tsx'
import { PhotoProblem, refusedPhoto } from './photoLabels.tsx'
import { proposalsFrom, withProposals } from './proposals.ts'
import { SpecsStep } from './SpecsStep.tsx'
import { Lapsed, NoRoom, StepButton, StepForm } from './StepForm.tsx'
import { type Content, useListingDraft } from './useListingDraft.ts'
import { usePhotos, useShared } from './usePhotos.ts'
import { after } from '../../ui/effects.ts'

interface Props {
  id: string
  start: Content
  step: string | undefined
  others?: readonly ListingDraft[]
  unopened?: readonly Share[]
  refused: Entry | undefined
  shared?: Share | undefined
  /** null: an edit, or the first listing. */
  last?: LastListing | null
  owner?: string
  edit?: EditContext
}

/** The chosen tile is seen before the step changes. */
const CHOSEN_MS = 160
const VIBRATION_MS = 30
/** Room for a preview beside the form. */
export const WIDE = '(min-width: 1024px)'

const names: Readonly<Record<Step, Sentence>> = {
  category: msg`Que vendez-vous ?`,
  core: msg`Annonce`,
  specs: msg`Caractéristiques`,
  review: msg`Vérification`,
}

/** [S2.38]: each step has its URL; all input is saved. */
export function Wizard({
  id,
  start,
  step,
  others = [],
  unopened = [],
  refused,
  shared,
  last = null,
  owner = '',
  edit,
}: Props) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { token } = useSession()
  const navigate = useNavigate()
  const draft = useListingDraft(id, owner, start, edit)
  const { form, photos: ids, change, kept, flush } = draft
  const photos = usePhotos(id, owner, draft)
  useShared(shared, photos, flush)
  const [wrong, setWrong] = useState<Wrong>({})
  const [trouble, setTrouble] = useState<Sentence>()
  const [busy, setBusy] = useState(false)
  /** Chosen by a tap: the next step follows. */
  const [leaving, setLeaving] = useState(false)
  const wide = useMedia(WIDE)
  const asked = useSpecs().find(({ category }) => category === form.category) ?? null
  const rules = asked ?? { fields: [], price: { required: false } }
  const order = asked ? stepsOf(asked.fields) : steps
  const now = (form.category !== '' && order.find((one) => one === step)) || 'category'
  const early = form.category !== '' && asked === null
  const refusedOne = refused ? refusedPhoto(refused) : null
  /** Also begin a draft that a reload finds. */
  const atOnce: typeof photos = {
    ...photos,
    add(coming) {
      if (step === undefined) open('category', true)
      return photos.add(coming)
    },
  }
  const place = order.indexOf(now)
  const next = order[place + 1]
  const before = order[place - 1]

  const address = { ...(edit && { listing: edit.listing }), draft: id }

  function open(to: Step, replace = false) {
    void navigate({
      to: '/create-listing',
      search: { ...address, step: to },
      replace,
      resetScroll: !replace,
    })
  }

  function set(part: Partial<Form>) {
    change((all) => ({ ...all, form: { ...all.form, ...part } }))
    // The URL names the draft, so that a reload finds it.
    if (step === undefined) open('category', true)
  }

  function go(to: Step, faults: Wrong = {}) {
    setLeaving(false)
    setTrouble(undefined)
    setWrong(faults)
    if (to === now) return
    change((all) => ({ ...all, form: { ...withTitleRead(all.form), step: to } }))
    open(to)
  }

  /** On leaving the step, not while typing. An edit keeps what it has. */
  function withTitleRead(all: Form) {
    if (now !== 'core' || edit || !asked) return all
    const proposals = proposalsFrom(all.title, asked.fields)
    return { ...all, ...withProposals(all.specs, all.proposed, proposals) }
  }

  async function submit() {
    if (next === undefined) return publish()
    const faults = check(now, form, rules)
    go(Object.keys(faults).length > 0 ? now : next, faults)
  }

  async function publish() {
    if (!asked) return
    const fault = firstWrong(order, form, asked)
    if (fault) return go(fault.step, fault.wrong)
    const fresh = ids.filter((photo) => edit?.images.has(photo) !== true)
    const queued = fresh.flatMap((photo) => ({
      id: photo,
      bytes: photos.files.get(photo)?.size ?? 0,
      upload: null,
      round: 0,
    }))
    if (photos.waiting.length > 0)
      return setTrouble(
        msg`Une photo attend de la place sur ce téléphone. Faites-en, ou retirez-la à l’étape Annonce.`,
      )
    if (queued.some(({ bytes }) => bytes === 0))
      return setTrouble(
        msg`Une photo n’est plus sur ce téléphone : retirez-la à l’étape Annonce, puis publiez.`,
      )
    setBusy(true)
    await flush()
    const fields = fieldsOf(form, asked.fields)
    const sent = edit
      ? await edit.send({ form, fields, asked: asked.fields, photos: queued, order: ids })
      : await send(
          'listing.publish',
          { draft: id, fields, photos: queued, wifiOnly: form.wifiOnly },
          id,
        )
    setBusy(false)
    const why =
      sent === 'unchanged' ? msg`Rien n’a changé : il n’y a rien à envoyer.` : whyNotPublished(sent)
    if (why !== undefined) return setTrouble(why)
    vibrate(VIBRATION_MS)
    if (!edit) rememberListing(owner, form)
    void navigate({ to: '/create-listing', search: { ...address, step: 'done' }, replace: true })
  }

  const goOn = useEffectEvent(() => void submit())
  useEffect(() => {
    // Not before the URL names the draft, so that going back finds it.
    if (!leaving || step === undefined) return undefined
    return after(CHOSEN_MS, () => goOn())
  }, [leaving, step])

  // Corrected fields lose their error at once; new ones appear at the next try.
  const still = check(now, form, rules)
  const shown = Object.fromEntries(Object.entries(still).filter(([name]) => name in wrong))
  const props = { form, set, wrong: shown, asked }
  const bad = refusedOne && ids.includes(refusedOne.id) ? refusedOne : null
  const badPlace = bad ? ids.indexOf(bad.id) + 1 : 0
  const reasons =
    refused?.problem && !refusedOne
      ? [
          ...new Set([firstText(refused.problem), ...Object.values(fieldTexts(refused.problem))]),
        ].filter((text) => text !== null)
      : []
  const content = (
    <>
      {now === 'category' && <DraftList drafts={others} shares={unopened} />}
      <StepForm
        key={now}
        title={translate(names[now])}
        place={place + 1}
        places={order.length}
        wrong={wrong}
        taking={photos.busy > 0 || photos.waiting.length > 0}
        onSubmit={() => void submit()}
      >
        {(!kept || photos.waiting.length > 0) && <NoRoom text={kept} />}
        {token === null && (
          <Lapsed
            next={`/create-listing?${new URLSearchParams({ ...address, step: now }).toString()}`}
          />
        )}
        {(trouble !== undefined || (refused && (bad || !refusedOne))) && (
          <Notice
            tone="danger"
            live="alert"
            action={
              bad &&
              now !== 'core' && <Button onClick={() => go('core')}>{t`Voir les photos`}</Button>
            }
          >
            <strong>{t`Échec de l’envoi`}</strong>
            {trouble !== undefined && <p>{translate(trouble)}</p>}
            {bad && (
              <p>
                <PhotoProblem name={t`Photo ${badPlace}`} why={bad.text} />
              </p>
            )}
            {reasons.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </Notice>
        )}
        {now === 'category' && (
          <>
            <PhotoList photos={atOnce} brief onAsk={() => setLeaving(false)} />
            <CategoryStep {...props} onChosen={() => setLeaving(true)} />
          </>
        )}
        {now === 'core' && <CoreStep {...props} photos={photos} bad={bad} last={last} />}
        {now === 'specs' && <SpecsStep {...props} />}
        {now === 'review' && <ReviewStep {...props} photos={photos} />}
        <div className={css.bar}>
          {before !== undefined && <Button onClick={() => go(before)}>{t`Retour`}</Button>}
          {next === undefined ? (
            <StepButton disabled={busy || early || photos.busy > 0} aria-busy={busy}>
              {edit ? t`Enregistrer` : t`Publier`}
            </StepButton>
          ) : (
            <StepButton disabled={early}>{t`Continuer`}</StepButton>
          )}
        </div>
      </StepForm>
    </>
  )
  return (
    <div className={css.columns}>
      <div className={css.steps}>{content}</div>
      {wide && (
        <aside className={css.aside} aria-label={t`Aperçu`}>
          <LivePreview id={id} form={form} photos={photos} />
        </aside>
      )}
    </div>
  )
}

/** [S8.14]. */
function whyNotPublished(sent: SendResult) {
  if (sent.kind === 'refused' && sent.code === 'not_authenticated')
    return msg`Connexion requise. Connectez-vous puis réessayez.`
  return whyNotQueued(sent)
}
