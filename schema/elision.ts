/**
 * Whether French elides before a name: "d’Awa", "d’Hélène", "d’Yves", but "de Moussa", "de Hamidou",
 * "de Yacouba". An h is mute before e, i, o, u and y, which suits first names.
 */
export function elides(name: string): boolean {
  const bare = name.normalize('NFD').replace(/\p{M}/gu, '').trim()
  return /^(?:[aeiouœæ]|y(?![aeiou])|h[eiouyœ])/iu.test(bare)
}
