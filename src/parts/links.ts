/** Spread into a link or a navigation. */
export const conversations = {
  to: '/messages/{-$conversationId}',
  params: { conversationId: undefined },
} as const

/** Registering; `next`: the path to open afterwards. */
export const registerFor = (next: string) =>
  ({ to: '/auth', search: { mode: 'register', next } }) as const

/** The sign-in screen; `next`: the path to open afterwards. */
export const signInTo = (next: string) =>
  ({ to: '/auth', search: { mode: 'login', next } }) as const
