import type { Problem } from '#schema/wire/problem'
import type { Language } from '#schema/wire/shapes'
import { type FieldFault, type Refusal, filled, texts } from '../../route/index.ts'

/** [API 1.4]; beside a code of the whole request, fields may have faults. */
export function problemOf(refusal: Refusal, language: Language, requestId: string): Problem {
  const { code } = refusal
  const messages = Object.fromEntries(
    Object.entries(refusal.fields).map(([name, faults]) => [
      name,
      faults.map((fault) => textOf(fault, language)),
    ]),
  )
  if (code === 'validation_error')
    return {
      detail: Object.values(messages)[0]?.[0] ?? texts.invalid[language],
      code,
      ...messages,
      field_codes: codesOf(refusal),
      request_id: requestId,
    }
  const detail = texts[code][language]
  return {
    detail,
    code,
    ...(refusal.status === 400 && {
      non_field_errors: [detail],
      field_codes: { non_field_errors: [{ code }], ...codesOf(refusal) },
    }),
    ...messages,
    request_id: requestId,
    ...refusal.members,
  }
}

const codesOf = (refusal: Refusal) =>
  Object.fromEntries(
    Object.entries(refusal.fields).map(([name, faults]) => [
      name,
      faults.map(({ code, more }) => ({ code, ...more })),
    ]),
  )

const textOf = ({ code, text = texts[code], more = {} }: FieldFault, language: Language) =>
  filled(text[language], more)
