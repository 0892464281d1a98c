/**
 * Whether French elides before a name: "d’Awa", "d’Yves", but "de Yacouba". An h is mute before e,
 * i, o, u and y ("d’Hélène", "de Hamidou"), which suits first names.
 */
export function elides(name: string) {
  const bare = name.normalize('NFD').replace(/\p{M}/gu, '').trim()
  return /^(?:[aeiouœæ]|y(?![aeiou])|h[eiouyœ])/iu.test(bare)
}
