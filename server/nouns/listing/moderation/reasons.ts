import type { Language, LocalizedText } from '#schema/wire/shapes'
import file from './reasons.json' with { type: 'json' }

export const REASONS: Readonly<Record<string, LocalizedText>> = file

/**
 * Translates a predefined reason, which is stored in French; a moderator's own text stays
 * unchanged.
 */
export function reasonIn(kept: string | null, language: Language): string | null {
  return Object.values(REASONS).find(({ fr }) => fr === kept)?.[language] ?? kept
}
