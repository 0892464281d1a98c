import { useLingui } from '@lingui/react'
import type { LocalizedText } from '#schema/wire/shapes'
import type { Sentence } from './problems.ts'

export function useTranslate() {
  const { i18n } = useLingui()
  function translate(sentence: Sentence | LocalizedText): string
  function translate(sentence: Sentence | LocalizedText | undefined): string | undefined
  function translate(sentence: Sentence | LocalizedText | undefined): string | undefined {
    if (sentence === undefined || typeof sentence === 'string') return sentence
    if ('fr' in sentence) return i18n.locale === 'en' ? sentence.en : sentence.fr
    return i18n._(sentence)
  }
  return translate
}
