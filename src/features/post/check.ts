import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { DESCRIPTION_MAX, PRICE_MAX, TITLE_MAX, TITLE_MIN } from '#schema/limits'
import { phoneNumberOf } from '#schema/phoneNumber'
import { isHidden, readFields, type SpecProblem } from '#schema/spec'
import { isVisible, lengthOf } from '#schema/text'
import { priceOf } from '../../parts/typedPrice.ts'
import type { Asked, Form, Step, Wrong } from './form.ts'

/** [S5.04, API 5.3]; empty: none. */
export function check(step: Step, form: Form, asked: Asked): Wrong {
  switch (step) {
    case 'category':
      return form.category === '' ? { category: msg`Choisissez une catégorie.` } : {}
    case 'core':
      return core(form, asked)
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

function core({ title, description, price, region, phone }: Form, { price: { required } }: Asked) {
  const [titled, described] = [shownLength(title), shownLength(description)]
  const amount = priceOf(price)
  const wrong: Record<string, MessageDescriptor> = {}
  if (titled < TITLE_MIN || titled > TITLE_MAX)
    wrong['title'] = msg`Le titre doit contenir entre 5 et 120 caractères.`
  if (described === 0) wrong['description'] = msg`La description est obligatoire.`
  if (described > DESCRIPTION_MAX)
    wrong['description'] = msg`La description ne peut pas dépasser 2000 caractères.`
  if (amount === undefined) wrong['price'] = msg`Le prix doit être un nombre entier.`
  else if (amount === null && required) wrong['price'] = msg`Indiquez un prix.`
  else if ((amount === 0 && required) || (amount ?? 0) > PRICE_MAX)
    wrong['price'] = msg`Le prix doit être compris entre 1 et 2 000 000 000.`
  if (region === '') wrong['region'] = msg`La région est obligatoire.`
  if (phone.trim() !== '' && phoneNumberOf(phone) === null)
    wrong['phone'] = msg`Numéro de téléphone invalide.`
  return wrong
}

const shownLength = (text: string) => (isVisible(text) ? lengthOf(text) : 0)

function specs({ specs: given }: Form, { fields }: Asked) {
  const { specs: read, problems } = readFields(fields, given)
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { name, required } = field
      const problem = problems.find((one) => one.name === name)
      const missing = required && read[name] === undefined && !isHidden(field, given)
      const fault = problem ? textOf(problem) : missing && msg`Cette information est obligatoire.`
      return fault ? [[`specs.${name}`, fault]] : []
    }),
  )
}

function textOf({ code, more }: SpecProblem) {
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
