export const conversations = {
  to: '/messages/{-$conversationId}',
  params: { conversationId: undefined },
} as const

/** `next`: the path to open afterwards. */
export const registerFor = (next: string) =>
  ({ to: '/auth', search: { mode: 'register', next } }) as const

export const signInTo = (next: string) =>
  ({ to: '/auth', search: { mode: 'login', next } }) as const
