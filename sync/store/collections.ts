import type { Documents } from '#schema/disk/documents'
import type { Collection, Collections, Name } from '../noun.ts'

/** The collections of a store, by their names. */
export abstract class StoreCollections implements Collections {
  readonly listings = this.queries('listings')
  readonly lists = this.queries('lists')
  readonly shops = this.queries('shops')
  readonly catalogue = this.queries('catalogue')
  readonly ownLists = this.queries('ownLists')
  readonly ownListings = this.queries('ownListings')
  readonly conversations = this.queries('conversations')
  readonly messages = this.queries('messages')
  readonly notifications = this.queries('notifications')
  readonly saved = this.queries('saved')
  readonly account = this.queries('account')

  /** Called before the fields of a subclass are set: only the queries may use them. */
  protected abstract queries<C extends Name>(name: C): Collection<Documents[C]>
}
