import { ask } from './ask.ts'
import { signOut } from './session.ts'

/**
 * Signs out [S4.05] locally at once; `me`: account id. The engine first gets the request to end the
 * server's session, while it has the token; offline, that session expires by age.
 */
export function leaveSession(me: string | null): void {
  // Offline this chunk may be missing; then no share was ever opened either.
  void import('./shared.ts').then(({ dropShares }) => dropShares(me)).catch(() => undefined)
  void ask('account.logout', {})
  signOut()
}
