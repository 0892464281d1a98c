import type { Problem } from '#schema/wire/problem'
import type { Language } from '#schema/wire/shapes'
import { type FieldFault, type Refusal, filled, texts } from '../../route/index.ts'

/** [API 1.4]; beside a code of the whole request, fields may have faults. */
export function problemOf(refusal: Refusal, language: Language, requestId: string): Problem {
  const { code } = refusal
  const messages = perField(refusal, (fault) => textOf(fault, language))
  const codes = perField(refusal, ({ code, more }) => ({ code, ...more }))
  if (code === 'validation_error')
    return {
      detail: Object.values(messages)[0]?.[0] ?? texts.invalid[language],
      code,
      ...messages,
      field_codes: codes,
      request_id: requestId,
    }
  const detail = texts[code][language]
  return {
    detail,
    code,
    ...(refusal.status === 400 && {
      non_field_errors: [detail],
      field_codes: { non_field_errors: [{ code }], ...codes },
    }),
    ...messages,
    request_id: requestId,
    ...refusal.members,
  }
}

const perField = <T>({ fields }: Refusal, read: (fault: FieldFault) => T) =>
  Object.fromEntries(Object.entries(fields).map(([name, faults]) => [name, faults.map(read)]))

const textOf = ({ code, text = texts[code], more = {} }: FieldFault, language: Language) =>
  filled(text[language], more)
