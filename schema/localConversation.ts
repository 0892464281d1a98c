const LOCAL = 'new-'

/** Of a conversation started on this device, until the server has made it. */
export function localId(listing: string) {
  return `${LOCAL}${listing}`
}

/** null: the id is the server's. */
export function listingOfLocal(conversation: string) {
  return conversation.startsWith(LOCAL) ? conversation.slice(LOCAL.length) : null
}
