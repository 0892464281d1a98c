/** Of the quoted message that goes with the draft text of this key [S13.31]. */
export const answerKeyOf = (draft: string): string => draft.replace(':', 'answer:')
