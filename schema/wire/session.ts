/** Apart, so that a first visit does not load the account schemas. */
export const ME_PATH = 'auth/me/'
export const LOGOUT_PATH = 'auth/logout/'
