import { expect, test } from 'vitest'
import { elides } from '#schema/elision'

test.each(['Awa', 'awa.77', 'Issa', 'Étoile du Sahel', 'Ouédraogo', 'Yves', 'Hélène', 'Honoré'])(
  '[S13.14] d’%s',
  (name) => {
    expect(elides(name)).toBe(true)
  },
)

test.each(['Moussa', 'Hamidou', 'Halimata', 'Yacouba', 'vendeur', '77awa', ''])(
  '[S13.14] de %s',
  (name) => {
    expect(elides(name)).toBe(false)
  },
)
