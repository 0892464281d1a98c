import { ask } from './ask.ts'
import { signOut } from './session.ts'

/**
 * [S4.05]; `me`: account id. First the engine, which still has the token, ends the server's
 * session.
 */
export function leaveSession(me: string | null) {
  // If this chunk is missing offline, no share was ever opened.
  void import('./shared.ts').then(({ dropShares }) => dropShares(me)).catch(() => undefined)
  void ask('account.logout', {})
  signOut()
}
