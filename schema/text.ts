/** Invisible characters stay in texts: emoji and several scripts use them. */
const SHAPED = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** An invisible text counts as empty [A6]. */
export const isVisible = (text: string) => SHAPED.test(text)

/** Trimmed code points, as the server counts [D44]. */
export const lengthOf = (text: string) => [...text.trim().normalize('NFC')].length

/** Without lone surrogates and NUL, which the server rejects [API 1.1]. */
export const clean = (text: string) => text.toWellFormed().replaceAll('\0', '')
