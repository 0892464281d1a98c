import type { Entry } from '#schema/disk/entry'
import { fieldWords, type Sentence } from '../../locales/problems.ts'
import { photoWords } from '../post/photoWords.ts'

/** What is wrong with the photo of a message that was refused (API.md 5.4); null: it is not the photo. */
export function photoTrouble({ problem }: Pick<Entry, 'problem'>): Sentence | null {
  if (!problem) return null
  if (problem.code === 'photo_gone') return photoWords.not_here
  const [said] = problem.field_codes?.['attachment'] ?? []
  const code = said?.code ?? problem.code
  const own: Readonly<Record<string, Sentence>> = photoWords
  return own[code] ?? fieldWords(problem)['attachment'] ?? null
}
