import { ask } from './ask.ts'
import { signOut } from './session.ts'

/**
 * Signing out [S4.05]: forgotten here at once, so that whoever closes the app now is signed out. The engine hears of it first,
 * while it still has the token, and ends the session on the server with it; without a network the server ends it by its age. `me`: the account's id.
 */
export function leaveSession(me: string | null): void {
  // Without a network its code may not be here, and then nothing of it was ever opened either.
  void import('./shared.ts').then(({ dropShares }) => dropShares(me)).catch(() => undefined)
  void ask('account.logout', {})
  signOut()
}
