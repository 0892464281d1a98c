import { i18n } from '@lingui/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { fieldTexts, type Sentence, whyNot, whyNotQueued, whyWaiting } from './problems.ts'

beforeAll(() => {
  i18n.loadAndActivate({ locale: 'fr', messages: {} })
})

const translate = (sentence: Sentence | undefined): string =>
  sentence === undefined || typeof sentence === 'string' ? (sentence ?? '') : i18n._(sentence)
const later = { kind: 'later', retryAfterMs: null, reached: false } as const

type Case = readonly [what: string, outcome: Parameters<typeof whyNot>[0], words: string]

describe('[S8.02] [S8.03] [S8.05] the text of a failure', () => {
  test.each<Case>([
    [
      '[S8.02] no answer',
      { ...later, why: 'offline' },
      'Erreur réseau. Veuillez vérifier votre connexion',
    ],
    [
      '[S8.05] server trouble',
      { ...later, why: 'server', reached: true },
      'Le service rencontre une difficulté. Réessayez dans quelques minutes.',
    ],
    [
      'a limit with its time',
      { ...later, why: 'limit', retryAfterMs: 61_000 },
      'Trop de demandes. Réessayez dans 61 secondes.',
    ],
    [
      'a long limit',
      { ...later, why: 'limit', retryAfterMs: 600_000 },
      'Trop de demandes. Réessayez dans 10 minutes.',
    ],
    [
      '[S8.04] no session',
      { kind: 'signed-out', problem: null },
      'Session expirée. Veuillez vous reconnecter.',
    ],
    [
      '[S8.03] the server’s detail',
      { kind: 'refused', status: 400, problem: { detail: 'Non.', code: 'x' } },
      'Non.',
    ],
    [
      '[S8.03] else its first error of no field',
      {
        kind: 'refused',
        status: 400,
        problem: { detail: ' ', code: 'x', non_field_errors: ['Pas ici.'] },
      },
      'Pas ici.',
    ],
    [
      'the phone’s own refusal',
      { kind: 'refused', status: 409, problem: { detail: '', code: 'not_found' } },
      'Cet envoi n’attend plus.',
    ],
    [
      '[S8.03] else the general words',
      { kind: 'refused', status: 400, problem: { detail: '', code: 'x' } },
      "Une erreur inattendue s'est produite.",
    ],
  ])('%s', (_what, outcome, words) => {
    expect(translate(whyNot(outcome))).toBe(words)
  })
})

test('[S5.02] a failed form shows the first error under each field', () => {
  const problem = {
    detail: 'Pris.',
    code: 'validation_error',
    username: ['Pris.', 'Court.'],
    email: ['Pris aussi.'],
    non_field_errors: ['Non.'],
    field_codes: { username: [{ code: 'username_taken' }] },
    request_id: 'x',
  }
  expect(fieldTexts(problem)).toEqual({ username: 'Pris.', email: 'Pris aussi.' })
})

test('[S8.11] an immediate refusal has the specification’s text', () => {
  expect(translate(whyNotQueued({ kind: 'refused', code: 'own_listing', field: null }))).toBe(
    'Vous ne pouvez pas démarrer une conversation avec votre propre annonce.',
  )
  expect(translate(whyNotQueued({ kind: 'unstorable', why: 'full' }))).toContain(
    'votre texte est toujours là',
  )
  expect(translate(whyNotQueued({ kind: 'unstorable', why: 'unloaded' }))).toContain(
    'réessayez avec du réseau',
  )
})

test('an entry shows why it waits, a refused one the server’s text', () => {
  expect(translate(whyWaiting({ state: 'waiting', why: 'offline', problem: null }))).toBe(
    'En attente du réseau.',
  )
  expect(
    translate(
      whyWaiting({ state: 'refused', why: null, problem: { detail: 'Vendu.', code: 'x' } }),
    ),
  ).toBe('Vendu.')
})
