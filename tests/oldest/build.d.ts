/** A part of vite/client, which would include all of TypeScript's own web types. */
interface ImportMeta {
  readonly env: { readonly PROD: boolean; readonly SSR: boolean; readonly [name: string]: unknown }
}

declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export default names
}

declare module '*.css' {}

declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
