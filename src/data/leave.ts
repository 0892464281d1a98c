import { ask } from './ask.ts'
import { signOut } from './session.ts'

/**
 * Signs out [S4.05] locally at once; `me`: account id. First the engine, which still has the token,
 * ends the server's session; offline, it expires by age.
 */
export function leaveSession(me: string | null): void {
  // Offline this chunk may be missing; then no share was ever opened either.
  void import('./shared.ts').then(({ dropShares }) => dropShares(me)).catch(() => undefined)
  void ask('account.logout', {})
  signOut()
}
