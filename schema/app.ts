/** The product's working name ("the market" in Moore): the one place that says it. */
export const APP_NAME = 'Yaar'
