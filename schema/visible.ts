/**
 * Signs without a shape: spaces, controls, and what only shapes its neighbours (joiners, marks of direction, fillers, selectors).
 * Inside a text they stay, because emoji and several scripts are written with them.
 */
const SHAPED = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text shows anything at all; one that does not counts as empty [A6]. */
export const isVisible = (text: string): boolean => SHAPED.test(text)
