/** The product's working name ("the market" in Moore), defined only here. */
export const APP_NAME = 'Yaar'
