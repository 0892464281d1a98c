import { countsOf, type Entry } from '#schema/disk/entry'
import type { QuestionName } from '#schema/port/question'
import type { Reader, Server } from '../engine/reader.ts'
import type { Act } from './acts.ts'
import type { Answers } from './engine.ts'
import {
  conflicting,
  DRAFT,
  draft,
  editing,
  parked,
  publishing,
  refused,
  sending,
  signedOut,
  uncertain,
  waiting,
} from './entries.ts'
import {
  empty,
  failing,
  full,
  longWords,
  onlySearches,
  own as owned,
  silent,
  slow,
  unreachable,
  withPhoto,
} from './market.ts'

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
  /** On the way from the screen to the state. */
  readonly acts?: readonly Act[]
  readonly answered?: Answers
  prepare?(reader: Reader): Promise<void> | void
}

async function load(reader: Reader, name: QuestionName, watch: () => unknown): Promise<void> {
  watch()
  await new Promise<void>((resolve) => {
    const frames = reader.frames.subscribe(({ frame }) => {
      if (frame.status !== 'ready') return
      frames.unsubscribe()
      resolve()
    })
  })
  reader.unwatch(name)
}

/** The first list was loaded before the network went. */
async function goOfflineWithLists(reader: Reader): Promise<void> {
  await load(reader, 'listings.browse', () =>
    reader.watch('listings.browse', { filters: {}, limit: 20 }),
  )
  goOffline(reader)
}

/** The conversation was loaded before the network went, and a message was written after that. */
async function goOfflineAndWrite(reader: Reader): Promise<void> {
  await load(reader, 'account.me', () => reader.watch('account.me', {}))
  await load(reader, 'conversation.detail', () => reader.watch('conversation.detail', { id: 'C0' }))
  goOffline(reader)
  reader.outbox.next(waiting)
}

function goOffline(reader: Reader): void {
  reader.server = unreachable
  reader.goOffline()
}

/** As the browser does; the module is the page's, which the journeys cannot load. */
async function offerToInstall(): Promise<void> {
  const { watchInstall } = await import('../../src/features/install/prompt.ts')
  watchInstall()
  const userChoice = Promise.resolve({ outcome: 'dismissed' })
  dispatchEvent(
    Object.assign(new Event('beforeinstallprompt'), { prompt: () => userChoice, userChoice }),
  )
}

const own = { me: 'U1' }

const none = { sent: 0, received: 0 }

/** With these rows in the outbox. */
const outbox = (rows: readonly Entry[]) => ({
  ...own,
  prepare: (reader: Reader): void => reader.outbox.next(rows),
  answered: {
    stats: {
      kind: 'done',
      answer: {
        counts: {},
        outbox: countsOf(rows),
        bytes: none,
        month: none,
        storage: { usage: 0, quota: 0 },
        leader: true,
        socket: 'closed',
        versions: {},
      },
    },
  } satisfies Answers,
})

/** At a step of the wizard, with a listing begun. */
const step = (at: string, text: string): Pick<State, 'path' | 'prepare' | 'me'> => ({
  ...own,
  path: `/create-listing?draft=${DRAFT}&step=${at}`,
  prepare: (reader) => reader.drafts.next([draft(text)]),
})

const screen = (
  name: string,
  path: string,
  shows: State['shows'],
  server: Server,
  more: Partial<State> = {},
): State => ({ name, path, shows, server, me: '', ...more })
const wide = { wide: true }
const heading = (name: string): Shown => ({ role: 'heading', name })
const link = (name: string): Shown => ({ role: 'link', name })
const button = (name: string): Shown => ({ role: 'button', name })
const dialog = (name: string): Shown => ({ role: 'dialog', name })
const menu = (name: string): Shown => ({ role: 'menu', name })
const alert: Shown = { role: 'alert', name: '' }
const PHOTO = 'Photo envoyée par awa.traore'
const EDIT = '/create-listing?listing=L0'
const editAt = (step: string): string => `${EDIT}&draft=${DRAFT}&step=${step}`
const LONG = 'Anticonstitutionnellement'
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

  screen('home, offer to install', '/', button('Installer'), empty, { prepare: offerToInstall }),
  screen('home, account menu', '/', { role: 'menu', name: 'Menu du compte' }, full, {
    ...own,
    acts: ['Menu du compte'],
  }),

  screen('list', '/listings', 'Yamaha Crypton', full, wide),
  screen('list, loading', '/listings', 'Annonces', silent),
  screen('list, empty', '/listings?search=zzz', 'Aucune annonce', empty, wide),
  screen('list, error', '/listings', 'Réessayer', failing),
  screen('list, offline', '/listings', 'Yamaha Crypton', full, { prepare: goOfflineWithLists }),
  screen('list, long words', '/listings', 'Anticonstitutionnellement', longWords, wide),

  screen('list, filters', '/listings', dialog('Filtrer'), full, { acts: ['Filtrer'] }),
  screen(
    'list, signing in to save a search',
    '/listings?search=moto',
    dialog('Enregistrer la recherche'),
    full,
    {
      acts: ['Enregistrer la recherche'],
    },
  ),

  screen('listing', '/listings/L0', 'Yamaha Crypton', full, wide),
  screen('listing, loading', '/listings/L0', link('Retour'), silent),
  screen('listing, gone', '/listings/L0', 'Annonce introuvable', failing),
  screen('listing, offline', '/listings/L0', 'Pas encore sur ce téléphone', unreachable, {
    prepare: goOffline,
  }),
  screen('listing, long words', '/listings/L0', 'Anticonstitutionnellement', longWords, wide),

  screen('listing, share', '/listings/L0', dialog('Partager'), full, { acts: ['Partager'] }),
  screen('listing, report', '/listings/L0', dialog('Signaler'), full, { acts: ['Signaler'] }),
  screen('listing, photo', '/listings/L0', button('Zoomer'), full, {
    acts: ['Agrandir la photo 1'],
  }),

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
  screen('conversation, menu', '/messages/C0', menu('Actions de la conversation'), full, {
    ...own,
    acts: ['Actions de la conversation'],
  }),
  screen('conversation, message menu', '/messages/C0', menu('Actions du message'), full, {
    ...own,
    acts: ['Actions du message'],
  }),
  screen('conversation, photo', '/messages/C0', button('Agrandir la photo'), withPhoto, own),
  screen('conversation, photo, whole', '/messages/C0', dialog(PHOTO), withPhoto, {
    ...own,
    acts: ['Agrandir la photo'],
  }),
  screen('conversation, waiting', '/messages/C0', 'samedi', full, outbox(waiting)),
  screen('conversation, offline', '/messages/C0', 'Vous êtes hors ligne.', full, {
    ...own,
    prepare: goOfflineAndWrite,
  }),
  screen('conversation, refused', '/messages/C0', button('Réessayer'), full, outbox(refused)),

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

  screen('saved searches', '/saved', 'Motos à Ouagadougou', onlySearches, own),
  screen('saved searches, renaming', '/saved', dialog('Renommer la recherche'), onlySearches, {
    ...own,
    acts: ['Renommer la recherche Motos à Ouagadougou'],
  }),

  screen('account', '/profile', 'issa.ouedraogo', full, { ...own, ...wide }),
  screen('account, loading', '/profile', heading('Profil'), silent, own),
  screen('account, without counts', '/profile', 'issa.ouedraogo', slow, own),
  screen('account, nothing yet', '/profile', 'issa.ouedraogo', empty, own),
  screen('wizard, another draft', '/create-listing', 'Yamaha Crypton', full, {
    ...own,
    prepare: (reader) => reader.drafts.next([draft('Yamaha Crypton')]),
  }),
  screen(
    'account, signing out',
    '/profile',
    { role: 'alertdialog', name: 'Se déconnecter ?' },
    full,
    {
      ...outbox(waiting),
      acts: ['Se déconnecter'],
    },
  ),
  screen('own listings', '/profile?tab=listings', 'Yamaha Crypton', full, { ...own, ...wide }),
  screen('own listings, none', '/profile?tab=listings', 'Vous n’avez pas encore', empty, own),
  screen('own listings, long words', '/profile?tab=listings', LONG, longWords, own),

  screen('wizard', '/create-listing', 'Publier une annonce', full, { ...own, ...wide }),
  screen('wizard, core', '', 'Prix', full, { ...step('core', 'Yamaha Crypton'), ...wide }),
  screen('wizard, core, errors', '', 'Le titre doit contenir', full, {
    ...step('core', ''),
    acts: [['Prix (F CFA)', 'abc'], 'Continuer'],
  }),
  screen('wizard, specs', '', heading('Caractéristiques'), full, step('specs', 'Yamaha Crypton')),
  screen('wizard, review', '', heading('Vérification'), full, {
    ...step('review', 'Yamaha Crypton'),
    ...wide,
  }),
  screen('wizard, review, long words', '', heading('Vérification'), full, step('review', LONG)),

  screen('edit', editAt('core'), heading('Modifier l’annonce'), owned, { ...own, ...wide }),
  screen('edit, specs', editAt('specs'), heading('Caractéristiques'), owned, own),
  screen('edit, review', editAt('review'), heading('Vérification'), owned, own),
  screen(
    'edit, conflict',
    EDIT,
    'Rien de ce que vous avez écrit n’est perdu',
    owned,
    outbox(conflicting),
  ),
  screen('edit, waiting', editAt('done'), 'Vos changements attendent', owned, outbox(editing)),
  screen('edit, gone', EDIT, heading('Cette annonce n’existe plus'), failing, outbox(editing)),

  screen('outbox, empty', '/outbox', 'Tout est à jour', empty, own),
  screen('outbox, waiting', '/outbox', 'samedi', full, outbox(waiting)),
  screen('outbox, sending', '/outbox', 'samedi', full, outbox(sending)),
  screen('outbox, uncertain', '/outbox', 'samedi', full, outbox(uncertain)),
  screen('outbox, refused', '/outbox', { role: 'alert', name: '' }, full, outbox(refused)),
  screen('outbox, parked', '/outbox', button('Continuer'), full, outbox(parked)),
  screen('outbox, signed out', '/outbox', 'attendent que leur auteur', full, outbox(signedOut)),
  screen('outbox, publishing', '/outbox', 'Annonce à publier', full, outbox(publishing)),
  screen(
    'outbox, removing',
    '/outbox',
    { role: 'alertdialog', name: 'Supprimer cet envoi ?' },
    full,
    {
      ...outbox(uncertain),
      acts: ['Supprimer'],
    },
  ),
  screen('outbox, editing', '/outbox', dialog('Modifier avant l’envoi'), full, {
    ...outbox(waiting),
    acts: ['Modifier'],
  }),

  screen('settings', '/settings', heading('Paramètres'), full, { ...own, ...wide }),
  screen('settings, visitor', '/settings', heading('Paramètres'), full),
  screen('sign in', '/auth', button('Se connecter'), full, wide),
  screen('sign in, nothing typed', '/auth', 'Saisissez votre e-mail', full, {
    acts: ['Se connecter'],
  }),
  screen('sign in, wrong password', '/auth', alert, full, {
    acts: [['E-mail ou nom d’utilisateur', 'awa'], ['Mot de passe', 'marche'], 'Se connecter'],
    answered: {
      'account.login': {
        kind: 'refused',
        status: 400,
        problem: { detail: '', code: 'invalid_credentials' },
      },
    },
  }),
  screen('sign in, offline', '/auth', alert, unreachable, {
    prepare: goOffline,
    acts: [['E-mail ou nom d’utilisateur', 'awa'], ['Mot de passe', 'marche'], 'Se connecter'],
  }),
  screen('register, errors', '/auth?mode=register', 'caractères', full, {
    acts: ['Créer un compte'],
  }),
  screen('register', '/auth?mode=register', heading('Créer un compte'), full),
  screen('forgotten password', '/forgot-password', heading('Mot de passe oublié'), full),
  screen('help', '/help', heading('Aide'), full),
  screen('terms', '/terms', heading('Conditions'), full),
  screen('install', '/install', heading('Installer'), full),
  screen('not found', '/nowhere', heading('Page introuvable'), full),
]
