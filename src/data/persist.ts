import { keep, stored } from './session.ts'

export type Occasion = 'signed-in' | 'draft' | 'installed'

const ASKED = 'persist_asked'

/** [SYNC 3]; once per occasion, since Firefox asks the user. null: not asked. */
export async function askToPersist(occasion: Occasion): Promise<boolean | null> {
  // Missing in insecure contexts.
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
