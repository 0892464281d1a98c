import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { DESCRIPTION_MAX, PRICE_MAX, TITLE_MAX, TITLE_MIN } from '#schema/limits'
import { phoneNumberOf } from '#schema/phoneNumber'
import { isHidden, readFields, type SpecProblem } from '#schema/spec'
import type { SpecsMetadata } from '#schema/wire/catalogue'
import { isVisible, lengthOf } from '#schema/visible'
import { type Form, priceOf, type Step } from './form.ts'

export type Wrong = Readonly<Record<string, MessageDescriptor>>
/** The category's rules [API 8.7]. */
export type Asked = Pick<SpecsMetadata, 'fields'> & {
  readonly price: Pick<SpecsMetadata['price'], 'required'>
}

/** Errors that block going forward [S5.04, API 5.3]; empty: none. */
export function check(step: Step, form: Form, asked: Asked): Wrong {
  switch (step) {
    case 'category':
      return form.category === '' ? { category: msg`Choisissez une catégorie.` } : {}
    case 'core':
      return present({
        title: title(form),
        description: description(form),
        price: price(form, asked),
        region: region(form),
        phone: phone(form),
      })
    case 'specs':
      return specs(form, asked)
    case 'review':
      return {}
  }
}

export function firstWrong(
  steps: readonly Step[],
  form: Form,
  asked: Asked,
): { readonly step: Step; readonly wrong: Wrong } | null {
  for (const step of steps) {
    const wrong = check(step, form, asked)
    if (Object.keys(wrong).length > 0) return { step, wrong }
  }
  return null
}

type Fault = MessageDescriptor | null

const seenLength = (text: string): number => (isVisible(text) ? lengthOf(text) : 0)

function title({ title: text }: Form): Fault {
  const length = seenLength(text)
  return length < TITLE_MIN || length > TITLE_MAX
    ? msg`Le titre doit contenir entre 5 et 120 caractères.`
    : null
}

function description({ description: text }: Form): Fault {
  const length = seenLength(text)
  if (length === 0) return msg`La description est obligatoire.`
  return length > DESCRIPTION_MAX ? msg`La description ne peut pas dépasser 2000 caractères.` : null
}

function price({ price: text }: Form, { price: { required } }: Asked): Fault {
  const amount = priceOf(text)
  if (amount === undefined) return msg`Le prix doit être un nombre entier.`
  if (amount === null) return required ? msg`Indiquez un prix.` : null
  return (amount === 0 && required) || amount > PRICE_MAX
    ? msg`Le prix doit être compris entre 1 et 2 000 000 000.`
    : null
}

function region({ region: slug }: Form): Fault {
  return slug === '' ? msg`La région est obligatoire.` : null
}

function phone({ phone: text }: Form): Fault {
  return text.trim() !== '' && phoneNumberOf(text) === null
    ? msg`Numéro de téléphone invalide.`
    : null
}

function specs({ specs: given }: Form, { fields }: Asked): Wrong {
  const { specs: read, problems } = readFields(fields, given)
  const wrong = new Map(problems.map((problem) => [problem.name, textOf(problem)]))
  for (const field of fields) {
    if (
      field.required &&
      !wrong.has(field.name) &&
      read[field.name] === undefined &&
      !isHidden(field, given)
    )
      wrong.set(field.name, msg`Cette information est obligatoire.`)
  }
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const fault = wrong.get(name)
      return fault ? [[`specs.${name}`, fault]] : []
    }),
  )
}

function textOf({ code, more }: SpecProblem): MessageDescriptor {
  const { min = null, max = null } = more
  switch (code) {
    case 'too_long':
      return msg`${max ?? 0} caractères au maximum.`
    case 'min_value':
    case 'max_value':
      if (max === null) return msg`Au moins ${min ?? 0}.`
      return min === null ? msg`Au plus ${max}.` : msg`Entre ${min} et ${max}.`
    case 'invalid':
      return msg`Écrivez un nombre entier.`
    case 'invalid_choice':
      return msg`Choisissez une réponse de la liste.`
  }
}

function present(faults: Readonly<Record<string, Fault>>): Wrong {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([name, fault]) => (fault ? [[name, fault]] : [])),
  )
}

export interface StepProps {
  readonly form: Form
  readonly set: (part: Partial<Form>) => void
  readonly wrong: Wrong
  readonly asked: SpecsMetadata | null
}
