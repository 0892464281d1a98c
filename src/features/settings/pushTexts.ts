import { msg } from '@lingui/core/macro'
import texts from 'virtual:texts/push'

/** [S4.07, S8.17] */
export const pushTexts = {
  ...texts,
  no_network: msg`Erreur réseau. Veuillez vérifier votre connexion`,
}
