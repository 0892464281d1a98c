const LOCAL = 'new-'

/** Id of a conversation that was started on this device, until the server has made it. */
export function localId(listing: string): string {
  return `${LOCAL}${listing}`
}

/** The listing of such a conversation; null: the id is the server's. */
export function listingOfLocal(conversation: string): string | null {
  return conversation.startsWith(LOCAL) ? conversation.slice(LOCAL.length) : null
}
