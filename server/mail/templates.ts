import type { Language } from '#schema/wire/shapes'
import templates from './templates.json' with { type: 'json' }

type Letter = Readonly<{
  template: keyof typeof templates.fr.letters
  language: Language
  username: string
  link?: string
  text?: string
  title?: string
}>

export interface Posted {
  readonly letter: Letter
  readonly address: string
}

/** Each link has a line of its own [D121]. */
export function mailOf(letter: Letter, sender: string): { subject: string; text: string } {
  const { greeting, letters } = templates[letter.language]
  const { subject, lines } = letters[letter.template]
  const { username, text = '', title = '' } = letter
  const values: Readonly<Record<string, string>> = { username, text, title }
  const fill = (line: string) =>
    line.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const link = letter.link === undefined ? [] : ['', letter.link, '']
  const body = [greeting, '', ...lines].flatMap((line) => (line === '{link}' ? link : [fill(line)]))
  return {
    subject: `${sender}${letter.language === 'en' ? '' : '\u00a0'}: ${fill(subject)}`,
    text: `${body.join('\n').trimEnd()}\n\n${sender}\n`,
  }
}
