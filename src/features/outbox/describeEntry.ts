import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as v from 'valibot'
import type { Entry, WaitReason } from '#schema/disk/entry'
import { type CommandName, commands, type MessageContent, type Payload } from '#schema/port/command'
import type { NetworkFacts } from '#schema/port/question'
import { groupBy } from '#schema/groupBy'

export type DescribedEntry = Readonly<{
  what: MessageDescriptor
  content: string | null
  photo: string | null
  editable: boolean
}>

const plain = { content: null, photo: null, editable: false }

type Texts = Partial<DescribedEntry> & Pick<DescribedEntry, 'what'>

const stateTexts = {
  sold: { on: msg`Annonce vendue`, off: msg`Annonce remise en vente` },
  reserved: { on: msg`Annonce réservée`, off: msg`Annonce qui n’est plus réservée` },
  active: { on: msg`Annonce à reprendre`, off: msg`Annonce à mettre en pause` },
  featured: { on: msg`Annonce à mettre à la une`, off: msg`Annonce à retirer de la une` },
  archived: { on: msg`Annonce à archiver`, off: msg`Annonce à désarchiver` },
}

const messageTexts = ({ content, photo }: MessageContent) => ({
  content,
  photo: photo?.id ?? null,
  editable: true,
})

/** `isShown` hides views. */
const texts: {
  readonly [N in Exclude<CommandName, 'listing.viewed'>]: (payload: Payload<N>) => Texts
} = {
  'message.send': (message) => ({ what: msg`Message`, ...messageTexts(message) }),
  'conversation.start': (message) => ({ what: msg`Premier message`, ...messageTexts(message) }),
  'conversation.read': () => ({ what: msg`Messages lus` }),
  'listing.save': ({ saved }) => ({
    what: saved ? msg`Ajouter une annonce aux favoris` : msg`Retirer une annonce des favoris`,
  }),
  'notification.read': () => ({ what: msg`Notification lue` }),
  'notification.readAll': () => ({ what: msg`Notifications lues` }),
  'preferences.change': () => ({ what: msg`Préférences de notification` }),
  'account.edit': ({ shop_name, bio }) => ({
    what: msg`Profil`,
    content: shop_name ?? bio ?? null,
  }),
  'report.send': ({ message }) => ({
    what: msg`Signalement`,
    content: message === '' ? null : message,
  }),
  'user.follow': ({ following }) => ({
    what: following ? msg`Suivre un vendeur` : msg`Ne plus suivre un vendeur`,
  }),
  'review.write': ({ comment }) => ({
    what: msg`Avis`,
    content: comment === '' ? null : comment,
    editable: true,
  }),
  'search.save': ({ name }) => ({ what: msg`Recherche à enregistrer`, content: name }),
  'search.remove': () => ({ what: msg`Supprimer une recherche` }),
  'listing.publish': ({ fields }) => ({ what: msg`Annonce à publier`, content: fields.title }),
  'listing.edit': ({ fields }) => ({
    what: msg`Changements d’une annonce`,
    content: fields.title ?? null,
  }),
  'listing.state': ({ flag, desired }) => ({ what: stateTexts[flag][desired ? 'on' : 'off'] }),
  'listing.reactivate': () => ({ what: msg`Prolonger une annonce` }),
  'listing.delete': () => ({ what: msg`Supprimer une annonce` }),
  'user.block': ({ blocked }) => ({
    what: blocked ? msg`Bloquer une personne` : msg`Débloquer une personne`,
  }),
}

export function describeEntry(entry: Pick<Entry, 'name' | 'payload'>): DescribedEntry {
  return { ...plain, ...(hasTexts(entry.name) ? textsOf(entry.name, entry.payload) : unknown) }
}

const unknown: Texts = { what: msg`Envoi` }

function textsOf<N extends keyof typeof texts>(name: N, payload: unknown): Texts {
  const parsed = v.safeParse(commands[name], payload)
  // A row of an older version may not parse, but still shows.
  return parsed.success ? texts[name](parsed.output) : unknown
}

/** One unknown to this version still shows, and can be removed. */
function hasTexts(name: string): name is keyof typeof texts {
  return name in texts
}

/** Its target was deleted: no retry can succeed. */
export function isMoot({ state, problem }: Pick<Entry, 'state' | 'problem'>) {
  return state === 'refused' && problem?.code === 'listing_not_found'
}

/** Failed tries cost too much: the user decides whether to go on; null: no question. */
export function askedAbout({
  state,
  problem,
}: Pick<Entry, 'state' | 'problem'>): 'data' | 'time' | null {
  if (state !== 'refused') return null
  return problem?.code === 'retry_data' ? 'data' : problem?.code === 'retry_time' ? 'time' : null
}

export function isShown(entry: Pick<Entry, 'low' | 'state'>) {
  return !entry.low && entry.state !== 'acknowledged'
}

export function byLane(
  entries: readonly Entry[],
): readonly { readonly lane: string; readonly entries: readonly Entry[] }[] {
  const lanes = groupBy(
    entries.filter(isShown).toSorted((a, b) => a.sequence - b.sequence),
    (entry) => entry.lane,
  )
  return [...lanes].map(([lane, own]) => ({ lane, entries: own }))
}

/** Also before its first try: the network first, then its place in the lane. */
export function whyOf(
  entry: Pick<Entry, 'why'>,
  placeInLane: number,
  network: NetworkFacts['network'],
): WaitReason | null {
  if (network !== 'online') return network
  return entry.why ?? (placeInLane > 0 ? 'behind' : null)
}
