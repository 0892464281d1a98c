import { keep, stored } from './session.ts'

/** What somebody does that makes their data worth keeping. */
export type Occasion = 'signed-in' | 'draft' | 'installed'

const ASKED = 'persist_asked'

/**
 * Asks the browser not to throw this site's data away by itself when the phone runs short [SYNC 3], once an occasion:
 * Chromium answers by itself, Firefox asks the person. Resolves with the answer; null: it was not asked.
 */
export async function askToPersist(occasion: Occasion): Promise<boolean | null> {
  // In no context that is not secure.
  const storage: Partial<StorageManager> | undefined = navigator.storage
  const asked = (stored(ASKED) ?? '').split(' ').filter((one) => one !== '')
  if (!storage?.persist || asked.includes(occasion) || asked.includes('granted')) return null
  keep('local', ASKED, [...asked, occasion].join(' '))
  try {
    const granted = (await storage.persisted?.()) === true || (await storage.persist())
    if (granted) keep('local', ASKED, [...asked, occasion, 'granted'].join(' '))
    return granted
  } catch {
    return false
  }
}
