import type { Reader, Server } from '../engine/reader.ts'
import { empty, failing, full, longWords, silent, slow, unreachable } from './market.ts'

interface Shown {
  readonly role:
    | 'alert'
    | 'alertdialog'
    | 'button'
    | 'dialog'
    | 'heading'
    | 'link'
    | 'menu'
    | 'status'
  readonly name: string
}

export interface State {
  readonly name: string
  /** null: the shared parts. */
  readonly path: string | null
  /** Id of the signed-in user; '' for a visitor. */
  readonly me: string
  readonly server: Server
  /** What the state is about, in sight: a French text, or a role with its name. */
  readonly shows: string | Shown
  /** Whether a wide window has another layout. */
  readonly wide?: boolean
  prepare?(reader: Reader): Promise<void> | void
}

/** The first list was loaded before the network went. */
async function goOfflineWithLists(reader: Reader): Promise<void> {
  reader.watch('listings.browse', { filters: {}, limit: 20 })
  await new Promise<void>((resolve) => {
    const frames = reader.frames.subscribe(({ frame }) => {
      if (frame.status !== 'ready') return
      frames.unsubscribe()
      resolve()
    })
  })
  reader.unwatch('listings.browse')
  goOffline(reader)
}

function goOffline(reader: Reader): void {
  reader.server = unreachable
  reader.goOffline()
}

const screen = (
  name: string,
  path: string,
  shows: State['shows'],
  server: Server,
  more: Partial<Pick<State, 'me' | 'prepare' | 'wide'>> = {},
): State => ({ name, path, shows, server, me: '', ...more })
const own = { me: 'U1' }
const wide = { wide: true }
const heading = (name: string): Shown => ({ role: 'heading', name })
const link = (name: string): Shown => ({ role: 'link', name })
const button = (name: string): Shown => ({ role: 'button', name })
const RECENT = heading('Annonces récentes')

export const states: readonly State[] = [
  { name: 'parts', path: null, me: '', server: full, shows: 'Boutons' },

  screen('home', '/', 'Yamaha Crypton', full, wide),
  screen('home, loading', '/', RECENT, silent),
  screen('home, empty', '/', 'Aucune annonce pour le moment', empty),
  screen('home, error', '/', 'Impossible de charger les annonces', failing),
  screen('home, offline first visit', '/', 'Pas de connexion et rien d’enregistré', unreachable, {
    prepare: goOffline,
  }),
  screen('home, long words', '/', 'Anticonstitutionnellement', longWords, wide),

  screen('list', '/listings', 'Yamaha Crypton', full, wide),
  screen('list, loading', '/listings', 'Annonces', silent),
  screen('list, empty', '/listings?search=zzz', 'Aucune annonce', empty, wide),
  screen('list, error', '/listings', 'Réessayer', failing),
  screen('list, offline', '/listings', 'Yamaha Crypton', full, { prepare: goOfflineWithLists }),
  screen('list, long words', '/listings', 'Anticonstitutionnellement', longWords, wide),

  screen('listing', '/listings/L0', 'Yamaha Crypton', full, wide),
  screen('listing, loading', '/listings/L0', link('Retour'), silent),
  screen('listing, gone', '/listings/L0', 'Annonce introuvable', failing),
  screen('listing, offline', '/listings/L0', 'Pas encore sur ce téléphone', unreachable, {
    prepare: goOffline,
  }),
  screen('listing, long words', '/listings/L0', 'Anticonstitutionnellement', longWords, wide),

  screen('shop', '/shop/chez-awa', 'Chez Awa', full, wide),
  screen('shop, loading', '/shop/chez-awa', heading('Annonces'), silent),
  screen('shop, empty', '/shop/chez-awa', 'Chez Awa', empty),
  screen('shop, gone', '/shop/chez-awa', 'Boutique introuvable', failing),
  screen('shop, offline', '/shop/chez-awa', 'Pas encore sur ce téléphone', unreachable, {
    prepare: goOffline,
  }),
  screen('shop, long words', '/shop/chez-awa', 'Anticonstitutionnellement', longWords),

  screen('messages', '/messages', 'Chez Awa', full, { ...own, ...wide }),
  screen('messages, empty', '/messages', 'Aucune conversation', empty, own),
  screen('messages, loading', '/messages', heading('Messages'), slow, own),
  screen('messages, first start', '/messages', heading('Messages'), silent, own),
  screen('messages, long words', '/messages', 'Anticonstitutionnellement', longWords, own),
  screen('conversation', '/messages/C0', '550 000, pas moins.', full, { ...own, ...wide }),
  screen('conversation, loading', '/messages/C0', link('Retour aux conversations'), slow, own),
  screen('conversation, gone', '/messages/C0', 'Conversation introuvable', failing, own),
  screen('conversation, long words', '/messages/C0', 'Anticonstitutionnellement', longWords, own),

  screen('notifications', '/notifications', 'Bienvenue au marché', full, own),
  screen('notifications, empty', '/notifications', 'Rien de nouveau', empty, own),
  screen('notifications, loading', '/notifications', heading('Notifications'), silent, own),
  screen(
    'notifications, long words',
    '/notifications',
    'Anticonstitutionnellement',
    longWords,
    own,
  ),

  screen('saved', '/saved', 'Yamaha Crypton', full, own),
  screen('saved, empty', '/saved', 'Touchez le cœur d’une annonce', empty, own),
  screen('saved, long words', '/saved', 'Anticonstitutionnellement', longWords, own),

  screen('account', '/profile', 'issa.ouedraogo', full, { ...own, ...wide }),
  screen('account, loading', '/profile', heading('Profil'), silent, own),
  screen('wizard', '/create-listing', 'Publier une annonce', full, { ...own, ...wide }),
  screen('outbox, empty', '/outbox', 'Tout est à jour', empty, own),
  screen('settings', '/settings', heading('Paramètres'), full, { ...own, ...wide }),
  screen('settings, visitor', '/settings', heading('Paramètres'), full),
  screen('sign in', '/auth', button('Se connecter'), full, wide),
  screen('register', '/auth?mode=register', heading('Créer un compte'), full),
  screen('forgotten password', '/forgot-password', heading('Mot de passe oublié'), full),
  screen('help', '/help', heading('Aide'), full),
  screen('terms', '/terms', heading('Conditions'), full),
  screen('install', '/install', heading('Installer'), full),
  screen('not found', '/nowhere', heading('Page introuvable'), full),
]
