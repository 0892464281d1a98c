import type { Documents } from '#schema/disk/documents'
import type { Collection, Collections, Name } from '../noun.ts'

export abstract class StoreCollections implements Collections {
  readonly listings = this.collection('listings')
  readonly lists = this.collection('lists')
  readonly shops = this.collection('shops')
  readonly catalogue = this.collection('catalogue')
  readonly ownLists = this.collection('ownLists')
  readonly ownListings = this.collection('ownListings')
  readonly conversations = this.collection('conversations')
  readonly messages = this.collection('messages')
  readonly notifications = this.collection('notifications')
  readonly saved = this.collection('saved')
  readonly account = this.collection('account')

  /** Called before the fields of a subclass are set: only the methods may use them. */
  protected abstract collection<C extends Name>(name: C): Collection<Documents[C]>
}
