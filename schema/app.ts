/** "The market" in Moore. */
export const APP_NAME = 'Yaar'
