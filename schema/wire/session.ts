/** Paths that the engine calls before anybody is in: apart from the account's shapes, which a first visit does without. */
export const ME_PATH = 'auth/me/'
export const LOGOUT_PATH = 'auth/logout/'
