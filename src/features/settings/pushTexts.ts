import { msg } from '@lingui/core/macro'
import texts from 'virtual:texts/push'

/** What each outcome of [S4.07] says, and that of a phone without a network [S8.17]. */
export const pushTexts = {
  ...texts,
  no_network: msg`Erreur réseau. Veuillez vérifier votre connexion`,
}
