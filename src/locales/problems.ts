import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import type { Entry } from '#schema/disk/entry'
import { isAccepted, type Outcome, type SendResult } from '#schema/port/outcome'
import type { Problem } from '#schema/wire/problem'

export type Sentence = MessageDescriptor | string

const unexpected = msg`Une erreur inattendue s'est produite.`
const network = msg`Erreur réseau. Veuillez vérifier votre connexion`

/** Local refusals have no text of the server. */
const own: Readonly<Record<string, Sentence>> = {
  maybe_sent: msg`Cet envoi est peut-être déjà arrivé : il ne peut plus être modifié.`,
  arrived_before_change: msg`Une version précédente était déjà arrivée. \
Celle-ci n’est pas partie : envoyez-la aussi, ou supprimez-la.`,
  not_found: msg`Cet envoi n’attend plus.`,
  unreadable: msg`Cette version de l’application ne sait pas lire cet envoi. \
Il reste sur ce téléphone, et vous pouvez en copier le texte.`,
  not_editable: msg`Cet envoi ne se modifie pas.`,
  invalid: msg`Ce texte ne convient pas.`,
}

/** [S8.02] to [S8.05]; `generic` is for failures without a text. */
export function whyNot(
  outcome: Exclude<Outcome, { kind: 'done' }>,
  generic: Sentence = unexpected,
): Sentence {
  if (outcome.kind === 'signed-out') return msg`Session expirée. Veuillez vous reconnecter.`
  if (outcome.kind === 'refused')
    return firstText(outcome.problem) ?? own[outcome.problem.code] ?? generic
  switch (outcome.why) {
    case 'limit':
      return tryAgainIn(outcome.retryAfterMs)
    case 'captive':
      return msg`Ce réseau demande d’abord de se connecter dans le navigateur, ou votre forfait est épuisé.`
    case 'server':
      return outcome.reached
        ? msg`Le service rencontre une difficulté. Réessayez dans quelques minutes.`
        : network
    case 'storage':
      return msg`Le téléphone n’a pas pu l’enregistrer : il manque peut-être de place.`
    default:
      return network
  }
}

/** [S8.03] */
export function firstText(problem: Problem) {
  const [first = null] = [problem.detail, ...(problem.non_field_errors ?? [])].filter(
    (texts) => texts.trim() !== '',
  )
  return first
}

/** By form field, the first for each [API 1.4]. */
export function fieldTexts(problem: Problem): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const [field, errors] of Object.entries(problem)) {
    const first: unknown = Array.isArray(errors) ? errors[0] : undefined
    if (field !== 'non_field_errors' && typeof first === 'string') texts[field] = first
  }
  return texts
}

export function fieldsOf(
  outcome: Exclude<Outcome, { kind: 'done' }>,
): Readonly<Record<string, string>> {
  return outcome.kind === 'refused' ? fieldTexts(outcome.problem) : {}
}

/** The errors of a form's fields, by their names in the API; else one for all of it. */
export function wrongIn(
  outcome: Exclude<Outcome, { kind: 'done' }>,
  fields: Readonly<Record<string, string>>,
  generic?: Sentence,
): Readonly<Record<string, Sentence>> {
  const wrong = Object.entries(fieldsOf(outcome)).flatMap(([field, text]) => {
    const own = fields[field]
    return own === undefined ? [] : [[own, text] as const]
  })
  return wrong.length > 0 ? Object.fromEntries(wrong) : { all: whyNot(outcome, generic) }
}

function tryAgainIn(ms: number | null) {
  if (ms === null) return msg`Trop de demandes. Veuillez patienter et réessayer.`
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 90)
    return msg`Trop de demandes. Réessayez dans ${plural(seconds, { one: '# seconde', other: '# secondes' })}.`
  const minutes = Math.ceil(seconds / 60)
  return msg`Trop de demandes. Réessayez dans ${plural(minutes, { one: '# minute', other: '# minutes' })}.`
}

const unstorable = {
  full: msg`La mémoire du téléphone est pleine. Libérez de l’espace, votre texte est toujours là.`,
  unloaded: msg`L’application n’est pas encore toute sur ce téléphone : réessayez avec du réseau. \
Votre texte est toujours là.`,
  broken: msg`Ce téléphone ne laisse rien enregistrer. Votre texte est toujours là.`,
  newer: msg`Une version plus récente de l’application est ouverte : copiez votre texte, puis rechargez la page.`,
  hangs: msg`La mémoire du téléphone ne répond pas. \
Votre texte est toujours là : réessayez, ou rechargez la page.`,
}

/** Undefined: it was accepted. */
export function whyNotQueued(sent: SendResult): Sentence | undefined {
  if (isAccepted(sent)) return undefined
  if (sent.kind === 'unstorable') return unstorable[sent.why]
  switch (sent.code) {
    case 'message_empty':
      return msg`Le message est vide.`
    case 'own_listing':
      return msg`Vous ne pouvez pas démarrer une conversation avec votre propre annonce.`
    case 'conversation_login_required':
    case 'not_authenticated':
      return msg`Vous devez être connecté pour démarrer une conversation`
    case 'too_long':
      return msg`Ce texte est trop long.`
    default:
      return own[sent.code] ?? unexpected
  }
}

export function whyWaiting(entry: Pick<Entry, 'state' | 'why' | 'problem'>): Sentence {
  if (entry.state === 'refused')
    return (entry.problem && (firstText(entry.problem) ?? own[entry.problem.code])) ?? unexpected
  if (entry.state === 'signed-out') return msg`Reconnectez-vous avec le même compte pour l’envoyer.`
  if (entry.state === 'sending') return msg`Envoi en cours.`
  switch (entry.why) {
    case 'offline':
      return msg`En attente du réseau.`
    case 'captive':
      return msg`Ce réseau demande d’abord de se connecter, ou votre forfait est épuisé.`
    case 'weak':
      return msg`Le réseau est très lent, nous réessayons.`
    case 'server':
      return msg`Le service ne répond pas, nous réessayons.`
    case 'limit':
      return msg`Trop d’envois à la suite, la suite part bientôt.`
    case 'behind':
      return msg`Part après l’envoi précédent.`
    case 'wifi':
      return msg`Attend le Wi-Fi.`
    case 'storage':
      return msg`Le téléphone manque de place.`
    default:
      return msg`Part dans un instant.`
  }
}
