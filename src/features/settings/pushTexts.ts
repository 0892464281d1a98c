import { msg } from '@lingui/core/macro'
import texts from 'virtual:texts/push'

/** Texts for each result of [S4.07], and for being offline [S8.17]. */
export const pushTexts = {
  ...texts,
  no_network: msg`Erreur réseau. Veuillez vérifier votre connexion`,
}
