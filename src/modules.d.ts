/** Modules that the build makes (build/virtualModules.ts, build/drawings.ts). */
type LocalizedText = import('#schema/wire/shapes').LocalizedText

declare module 'virtual:texts/faq' {
  const faq: readonly {
    readonly id: string
    readonly topic: string
    readonly question: LocalizedText
    readonly answer: LocalizedText
  }[]
  export default faq
}
declare module 'virtual:texts/safety' {
  const safety: readonly {
    readonly id: string
    readonly title: LocalizedText
    readonly body: LocalizedText
    readonly categories?: readonly string[]
  }[]
  export default safety
}
declare module 'virtual:texts/notification_help' {
  const help: readonly {
    readonly id: string
    readonly title: LocalizedText
    readonly body: LocalizedText
  }[]
  export default help
}
interface LegalText {
  readonly updated: string
  readonly sections: readonly {
    readonly id: string
    readonly title: LocalizedText
    readonly paragraphs: { readonly fr: readonly string[]; readonly en: readonly string[] }
  }[]
}
declare module 'virtual:texts/terms' {
  const terms: LegalText
  export default terms
}
declare module 'virtual:texts/privacy' {
  const privacy: LegalText
  export default privacy
}
declare module 'virtual:texts/variables' {
  const variables: Readonly<Record<'support_phone' | 'whatsapp' | 'postal_address', string>>
  export default variables
}
interface InstallSteps {
  readonly title: LocalizedText
  readonly steps: readonly (LocalizedText & { readonly n: number; readonly icon: string })[]
  readonly note: LocalizedText
}
declare module 'virtual:texts/add_to_home' {
  const guide: {
    readonly android_chrome: InstallSteps
    readonly iphone_safari: InstallSteps
    readonly in_app_browser: { readonly title: LocalizedText; readonly body: LocalizedText }
    readonly benefits: readonly LocalizedText[]
  }
  export default guide
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
declare module 'virtual:texts/empty_states' {
  const empty: Readonly<
    Record<
      | 'home_offline'
      | 'listings_none'
      | 'listings_none_offline'
      | 'saved_none'
      | 'searches_none'
      | 'messages_none'
      | 'chat_none'
      | 'notifications_none'
      | 'my_listings_none'
      | 'drafts_none'
      | 'outbox_none'
      | 'shop_none'
      | 'reviews_none'
      | 'following_none'
      | 'blocked_none'
      | 'recent_none'
      | 'not_found'
      | 'shop_not_found',
      LocalizedText
    >
  >
  export default empty
}
declare module 'virtual:texts/push' {
  const push: Readonly<
    Record<
      | 'nudge_title'
      | 'nudge_body'
      | 'nudge_yes'
      | 'nudge_no'
      | 'ok'
      | 'disabled'
      | 'insecure'
      | 'unsupported'
      | 'key_missing'
      | 'key_length'
      | 'denied'
      | 'not_granted'
      | 'service_error'
      | 'invalid_state'
      | 'subscribe_failed'
      | 'unauthenticated'
      | 'save_failed'
      | 'sw_not_ready'
      | 'test_sent',
      LocalizedText
    >
  >
  export default push
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

declare module 'virtual:texts/how_it_works' {
  const steps: readonly {
    readonly id: string
    readonly title: LocalizedText
    readonly body: LocalizedText
    readonly icon: string
  }[]
  export default steps
}
declare module 'virtual:texts/home_stats' {
  const stats: readonly {
    readonly id: string
    readonly display: string
    readonly label: LocalizedText
  }[]
  export default stats
}
declare module 'virtual:texts/testimonials' {
  const voices: readonly {
    readonly id: string
    readonly role: LocalizedText
    readonly text: LocalizedText
  }[]
  export default voices
}

/** A drawing as a component (build/drawings.ts). */
declare module '*.svg?react' {
  import type { ReactNode } from 'react'
  export default function Drawing(): ReactNode
}
