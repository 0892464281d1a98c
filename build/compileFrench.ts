import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/**
 * Compiles the French messages, so that the browser needs no message parser (7 KB). The macros
 * write each as `id: "…", message: "…"`.
 */
export function compileFrench(): Plugin {
  return {
    name: 'compile-french',
    transform(code, id) {
      if (!id.includes('/src/') || !code.includes('message: "')) return null
      return {
        code: code.replaceAll(
          /(id: "[^"]+",\s*message: )("(?:[^"\\]|\\.)*")/g,
          (_all, head: string, literal: string) =>
            head + JSON.stringify(compileMessage(textOf(literal))),
        ),
        map: null,
      }
    },
  }
}

/** JSON has all escapes of JavaScript's literals but `\x`. */
function textOf(literal: string) {
  const text: unknown = JSON.parse(literal.replaceAll(/\\x([0-9A-Fa-f]{2})/g, '\\u00$1'))
  if (typeof text !== 'string') throw new Error(`not a text: ${literal}`)
  return text
}
