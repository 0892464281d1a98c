/** Modules that the build makes (build/virtualModules.ts, build/drawings.ts). */
type LocalizedText = import('#schema/wire/shapes').LocalizedText
type Texts = typeof import('#schema/data/texts.json')

declare module 'virtual:texts/faq' {
  const texts: Texts['faq']
  export default texts
}
declare module 'virtual:texts/safety' {
  const texts: Texts['safety']
  export default texts
}
declare module 'virtual:texts/notification_help' {
  const texts: Texts['notification_help']
  export default texts
}
declare module 'virtual:texts/terms' {
  const texts: Texts['terms']
  export default texts
}
declare module 'virtual:texts/privacy' {
  const texts: Texts['privacy']
  export default texts
}
declare module 'virtual:texts/variables' {
  const texts: Texts['variables']
  export default texts
}
declare module 'virtual:texts/add_to_home' {
  const texts: Texts['add_to_home']
  export default texts
}
declare module 'virtual:texts/empty_states' {
  const texts: Omit<Texts['empty_states'], 'listings_offline'>
  export default texts
}
declare module 'virtual:texts/push' {
  const texts: Texts['push']
  export default texts
}
declare module 'virtual:texts/how_it_works' {
  const texts: Texts['how_it_works']
  export default texts
}
declare module 'virtual:texts/home_stats' {
  const texts: Texts['home_stats']
  export default texts
}
declare module 'virtual:texts/testimonials' {
  const texts: Texts['testimonials']
  export default texts
}
declare module 'virtual:texts/quick_messages' {
  /** `template`: has a blank for the screen to fill (src/locales/blanks.ts). */
  type Quick = (LocalizedText | { readonly template: LocalizedText }) & {
    readonly id: string
    readonly categories?: readonly string[]
  }
  const quick: Readonly<Record<'buyer' | 'seller', readonly Quick[]>>
  export default quick
}
declare module 'virtual:texts/scam_patterns' {
  const patterns: readonly {
    readonly id: string
    readonly severity: 'high' | 'medium' | 'low'
    readonly pattern: string
    readonly flags: string
    readonly warning: LocalizedText
  }[]
  export default patterns
}
declare module 'virtual:categories' {
  const categories: readonly {
    readonly slug: string
    readonly name: LocalizedText
    readonly short: LocalizedText
    readonly isMain: boolean
    readonly absent: LocalizedText | null
  }[]
  export default categories
  export const aliases: Readonly<Record<string, string>>
}

declare module '*.svg?react' {
  import type { ReactNode } from 'react'
  export default function Drawing(): ReactNode
}
