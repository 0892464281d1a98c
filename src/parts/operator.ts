import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { filledLater } from '../locales/blanks.ts'

const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null

/** From settings of the server (server/http/pages/operator.ts). */
export const operator = () => ({
  name: meta('operator'),
  contact: meta('operator-contact'),
})

/** Fills a legal text; without settings it says so. */
export function useOperatorText(): (text: string) => string {
  const { _ } = useLingui()
  const { name, contact } = operator()
  const nameless = _(msg`l’exploitant de ce marché`)
  return (text) => filledText(text, name ?? nameless, contact ?? _(msg`une adresse à venir`))
}

/** A name without a capital gets one at the start of a sentence. */
export function filledText(text: string, name: string, contact: string) {
  const first = name.charAt(0).toUpperCase() + name.slice(1)
  const { operator_name: blank, support_email: address } = filledLater
  return text
    .replaceAll(new RegExp(`(?<=^|[.!?]\\s+)${blank}`, 'gu'), () => first)
    .replaceAll(blank, () => name)
    .replaceAll(address, () => contact)
}
