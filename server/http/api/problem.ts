import type { Problem } from '#schema/wire/problem'
import type { Language } from '#schema/wire/shapes'
import type { FieldFault, Refusal } from '../../route/refusal.ts'
import { filled, texts } from '../../route/texts.ts'

/** [API 1.4] */
export function problemOf(refusal: Refusal, language: Language, requestId: string): Problem {
  const fields = Object.entries(refusal.fields)
  if (refusal.code === 'validation_error') {
    const messages = fields.map(
      ([name, faults]) => [name, faults.map((fault) => textOf(fault, language))] as const,
    )
    return {
      detail: messages[0]?.[1][0] ?? texts.invalid[language],
      code: 'validation_error',
      ...Object.fromEntries(messages),
      field_codes: codesOf(refusal),
      request_id: requestId,
    }
  }
  const detail = texts[refusal.code][language]
  const whole =
    refusal.status === 400
      ? {
          non_field_errors: [detail],
          field_codes: { non_field_errors: [{ code: refusal.code }], ...codesOf(refusal) },
        }
      : {}
  return {
    detail,
    code: refusal.code,
    ...whole,
    ...fieldTexts(refusal, language),
    request_id: requestId,
    ...refusal.members,
  }
}

/**
 * Faults of fields beside a code of the whole request, such as `token` for `reset_link_invalid`.
 */
function fieldTexts(refusal: Refusal, language: Language): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(refusal.fields).map(([name, faults]) => [
      name,
      faults.map((fault) => textOf(fault, language)),
    ]),
  )
}

const codesOf = (refusal: Refusal) =>
  Object.fromEntries(
    Object.entries(refusal.fields).map(([name, faults]) => [
      name,
      faults.map(({ code, more }) => ({ code, ...more })),
    ]),
  )

const textOf = ({ code, text = texts[code], more = {} }: FieldFault, language: Language): string =>
  filled(text[language], more)
