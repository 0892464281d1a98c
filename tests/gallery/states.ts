import type { Reader, Server } from '../engine/reader.ts'
import { empty, failing, full, longWords, silent, unreachable } from './market.ts'

export interface State {
  readonly name: string
  /** null: the shared parts. */
  readonly path: string | null
  /** Id of the signed-in user; '' for a visitor. */
  readonly me: string
  readonly server: Server
  /** What a person sees only in this state: a text, French. */
  readonly shows: string
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
  shows: string,
  server: Server,
  more: Partial<Pick<State, 'me' | 'prepare'>> = {},
): State => ({ name, path, shows, server, me: '', ...more })
const own = { me: 'U1' }

export const states: readonly State[] = [
  { name: 'parts', path: null, me: '', server: full, shows: 'Boutons' },

  screen('home', '/', 'Yamaha Crypton', full),
  screen('home, loading', '/', 'Accueil', silent),
  screen('home, empty', '/', 'Accueil', empty),
  screen('home, error', '/', 'Accueil', failing),
  screen('home, offline first visit', '/', 'Accueil', unreachable, { prepare: goOffline }),
  screen('home, long words', '/', 'Anticonstitutionnellement', longWords),

  screen('list', '/listings', 'Yamaha Crypton', full),
  screen('list, loading', '/listings', 'Annonces', silent),
  screen('list, empty', '/listings?search=zzz', 'Aucune annonce', empty),
  screen('list, error', '/listings', 'Réessayer', failing),
  screen('list, offline', '/listings', 'Yamaha Crypton', full, { prepare: goOfflineWithLists }),
  screen('list, long words', '/listings', 'Anticonstitutionnellement', longWords),

  screen('listing', '/listings/L0', 'Première main', full),
  screen('listing, loading', '/listings/L0', 'Accueil', silent),
  screen('listing, gone', '/listings/L0', 'annonce', failing),
  screen('listing, offline', '/listings/L0', 'annonce', unreachable, { prepare: goOffline }),
  screen('listing, long words', '/listings/L0', 'Anticonstitutionnellement', longWords),

  screen('shop', '/shop/chez-awa', 'Chez Awa', full),
  screen('shop, empty', '/shop/chez-awa', 'Chez Awa', empty),
  screen('shop, gone', '/shop/chez-awa', 'Boutique introuvable', failing),
  screen('shop, long words', '/shop/chez-awa', 'Anticonstitutionnellement', longWords),

  screen('messages', '/messages', 'Chez Awa', full, own),
  screen('messages, empty', '/messages', 'message', empty, own),
  screen('messages, loading', '/messages', 'Messages', silent, own),
  screen('messages, long words', '/messages', 'Anticonstitutionnellement', longWords, own),
  screen('conversation', '/messages/C0', '550 000, pas moins.', full, own),
  screen('conversation, long words', '/messages/C0', 'Anticonstitutionnellement', longWords, own),

  screen('notifications', '/notifications', 'Bienvenue au marché', full, own),
  screen('notifications, empty', '/notifications', 'notification', empty, own),
  screen(
    'notifications, long words',
    '/notifications',
    'Anticonstitutionnellement',
    longWords,
    own,
  ),

  screen('saved', '/saved', 'Yamaha Crypton', full, own),
  screen('saved, empty', '/saved', 'Favoris', empty, own),
  screen('saved, long words', '/saved', 'Anticonstitutionnellement', longWords, own),

  screen('account', '/profile', 'issa.ouedraogo', full, own),
  screen('account, loading', '/profile', 'Profil', silent, own),
  screen('wizard', '/create-listing', 'Publier une annonce', full, own),
  screen('outbox, empty', '/outbox', 'En attente d’envoi', empty, own),
  screen('settings', '/settings', 'Paramètres', full, own),
  screen('sign in', '/auth', 'Se connecter', full),
  screen('register', '/auth?mode=register', 'Créer un compte', full),
  screen('forgotten password', '/forgot-password', 'Mot de passe', full),
  screen('help', '/help', 'Aide', full),
  screen('terms', '/terms', 'Conditions', full),
  screen('install', '/install', 'Installer', full),
  screen('not found', '/nowhere', 'page', full),
]
