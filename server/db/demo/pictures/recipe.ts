import { createHash } from 'node:crypto'
import type { DemoListing } from '../listing.ts'
import { type Random, random } from '../random.ts'
import type { BackdropName } from './backdrops.ts'
import type { Recipe } from './scene.ts'
import type { ThingName } from './things.ts'
import { PAINTS } from './tints.ts'

/** One kind of thing: what its name or type says, how it is drawn and where such things are photographed. */
interface Look {
  readonly says: RegExp
  readonly things: readonly [ThingName, ...ThingName[]]
  readonly at: readonly [BackdropName, ...BackdropName[]]
}

const look = (says: RegExp, things: Look['things'], at: Look['at']): Look => ({ says, things, at })
const OUTSIDE = ['street', 'yard'] as const
const INDOORS = ['room', 'yard', 'shop'] as const
const COUNTER = ['shop', 'room'] as const
const TABLE = ['table', 'cloth', 'mat'] as const
const ANY = /^/

/** By category; the first that fits the thing's name and type. The last one fits all. */
const LOOKS: Record<string, readonly [Look, ...Look[]]> = {
  vehicles: [
    look(/Hilux|L200|Navara|Ranger|D-Max/, ['pickup'], OUTSIDE),
    look(/RAV4|Prado|Highlander|ML 350|Tucson|Santa|Sportage|Sorento|X-Trail|Patrol|Pajero|Duster|Touareg|Escape|X3|X5|RX|CR-V|Vitara/, ['suv'], OUTSIDE),
    look(/Hiace|207 D/, ['van'], OUTSIDE),
    look(/Camion/, ['truck'], OUTSIDE),
    look(/Yaris|Starlet|Picanto|206|307|Clio|Golf|Alto|Matrix/, ['hatchback'], OUTSIDE),
    look(ANY, ['sedan'], OUTSIDE),
  ],
  motos: [
    look(/tricycle/i, ['tricycle'], OUTSIDE),
    look(/scooter|électrique/i, ['scooter'], OUTSIDE),
    look(/P50|Super 8/, ['moped'], OUTSIDE),
    look(/Sirius|Crypton|110|Aloba|Dream|LF/, ['underbone'], OUTSIDE),
    look(ANY, ['roadster'], OUTSIDE),
  ],
  properties: [
    look(/Parcelle|Terrain/, ['land'], ['field', 'street']),
    look(/Magasin/, ['shopfront'], ['street']),
    look(/Entrepôt/, ['warehouse'], ['street']),
    look(/Bureau|Immeuble/, ['building'], ['street']),
    look(/Appartement|Studio|Célibatorium/, ['building', 'duplex'], ['street']),
    look(/duplex/, ['duplex'], ['street']),
    look(/Entrer-coucher|Chambre|inachevée/, ['gable'], ['street', 'field']),
    look(ANY, ['villa', 'villa', 'gable'], ['street', 'field']),
  ],
  'mobile-tablet': [look(/Tab|iPad|tablet/, ['tablet'], TABLE), look(/touches|^105/, ['keypadPhone'], TABLE), look(ANY, ['phone'], TABLE)],
  electronics: [
    look(/Téléviseur/, ['television'], ['room', 'shop']),
    look(/Ordinateur/, ['laptop'], COUNTER),
    look(/Caméra/, ['securityCamera'], COUNTER),
    look(/Console/, ['console'], COUNTER),
    look(/hi-fi/, ['hifi'], COUNTER),
    look(/Barre/, ['soundbar'], COUNTER),
    look(/Réfrigérateur/, ['fridge'], INDOORS),
    look(/Mixeur/, ['blender'], COUNTER),
    look(/Fer /, ['iron'], COUNTER),
    look(/parabole/, ['dish'], ['yard', 'street']),
    look(/Vidéoprojecteur/, ['projector'], COUNTER),
    look(/panneau|Projecteur solaire/, ['solarPanel'], ['yard']),
    look(/Batterie|Onduleur|Régulateur/, ['battery'], ['shop', 'yard']),
    look(/Montre/, ['watch'], TABLE),
    look(/Imprimante/, ['printer'], COUNTER),
    look(ANY, ['gadget'], TABLE),
  ],
  computers: [look(/laptop|book|Stream|Latitude|ThinkPad/i, ['laptop'], COUNTER), look(/desktop|PC|OptiPlex|iMac/i, ['desktop'], COUNTER), look(/monitor|Écran/i, ['monitor'], COUNTER), look(/printer|Imprimante/i, ['printer'], COUNTER), look(/component|RAM|SSD|Disque|Barrette/i, ['component'], TABLE), look(ANY, ['gadget'], TABLE)],
  'home-garden': [
    look(/Fauteuil/, ['armchair'], INDOORS),
    look(/sofa|jardin/, ['sofa'], INDOORS),
    look(/Matelas/, ['mattress'], INDOORS),
    look(/bed/, ['bed'], INDOORS),
    look(/basse/, ['lowTable'], INDOORS),
    look(/chaises en plastique/, ['chairs'], ['yard', 'shop']),
    look(/table-chair/, ['table'], INDOORS),
    look(/Armoire/, ['wardrobe'], INDOORS),
    look(/Étagère/, ['shelves'], INDOORS),
    look(/Meuble TV/, ['tvStand'], ['room']),
    look(/Congélateur/, ['freezer'], INDOORS),
    look(/fridge/, ['fridge'], INDOORS),
    look(/washing/, ['washer'], INDOORS),
    look(/Bouteille/, ['gasBottle'], ['yard', 'shop']),
    look(/Micro-ondes/, ['oven'], COUNTER),
    look(/cooker/, ['cooker'], INDOORS),
    look(/air-conditioner/, ['airConditioner'], ['room']),
    look(/fan/, ['fan'], INDOORS),
    look(/Pompe/, ['pump'], ['yard']),
    look(/Groupe/, ['generator'], ['yard', 'shop']),
    look(/solar/, ['solarPanel'], ['yard']),
    look(/Rideaux/, ['curtains'], ['room']),
    look(/Tapis/, ['rug'], ['room']),
    look(/Plants/, ['plants'], ['field', 'yard']),
    look(/Perceuse|Poste/, ['machine', 'tools'], ['yard', 'shop']),
    look(ANY, ['basin'], ['yard', 'shop']),
  ],
  beauty: [
    look(/Perruque|Mèches|hair-ext/, ['wig'], ['shop', 'room']),
    look(/Tondeuse|barbe/, ['clipper'], TABLE),
    look(/Fauteuil|Casque/, ['salonChair'], ['room', 'shop']),
    look(/Parfum|perfume/, ['perfume'], COUNTER),
    look(/makeup/, ['makeup'], COUNTER),
    look(/Beurre|Savon|Crème/, ['jar'], COUNTER),
    look(ANY, ['bottles'], COUNTER),
  ],
  fashion: [
    look(/Pagne|Uniforme|Balle|foulards/, ['foldedCloth'], ['mat', 'shop']),
    look(/Robe|Abaya/, ['dress'], ['cloth', 'mat']),
    look(/Danfani|Boubou|bazin/, ['boubou'], ['cloth', 'mat']),
    look(/Tee-shirts/, ['tshirts'], ['cloth', 'mat', 'table']),
    look(/Jean/, ['trousers'], ['cloth', 'table']),
    look(/Costume/, ['suit'], ['cloth', 'mat']),
    look(/Basket|enfant/, ['sneaker'], ['yard', 'room', 'shop']),
    look(/ville/, ['leatherShoe'], ['room', 'shop']),
    look(/Sandales/, ['sandals'], ['mat', 'table']),
    look(/Escarpins/, ['heels'], ['room', 'shop']),
    look(/dos/, ['backpack'], ['room', 'yard']),
    look(/Valise/, ['suitcase'], ['room', 'yard']),
    look(/Montre/, ['watch'], TABLE),
    look(/Lunettes/, ['sunglasses'], TABLE),
    look(/bijoux/, ['jewels'], ['cloth', 'table']),
    look(/Chapeau/, ['hat'], ['yard', 'room']),
    look(/Sac/, ['handbag'], ['room', 'shop']),
    look(ANY, ['shirt'], ['cloth', 'mat']),
  ],
  jobs: [look(ANY, ['notice'], ['table', 'mat'])],
  services: [look(/Peint/, ['paintBuckets'], ['yard']), look(/Cout/, ['sewingMachine'], ['room']), look(/Photo|caméra/i, ['camera'], COUNTER), look(/Coiff/, ['salonChair'], ['room']), look(/Transport|Déménag/i, ['truck', 'cartons'], ['street']), look(/Inform|Site|Imprim/i, ['laptop'], COUNTER), look(/Sono|DJ|anim/i, ['speaker'], INDOORS), look(ANY, ['tools', 'notice'], ['yard'])],
  sports: [
    look(/course$|Tapis/, ['treadmill'], ['room']),
    look(/appartement|Banc/, ['gymBench'], ['room', 'yard']),
    look(/Vélo/, ['bicycle'], OUTSIDE),
    look(/Haltères/, ['dumbbells'], ['table', 'mat']),
    look(/Maillots|Survêtement/, ['tshirts'], ['cloth', 'mat']),
    look(/Crampons/, ['sneaker'], ['field', 'yard']),
    look(/Ballon/, ['ball'], ['field', 'yard']),
    look(/Gants/, ['gloves'], ['table', 'mat']),
    look(/Tente/, ['tent'], ['field']),
    look(/Glacière/, ['cooler'], ['yard']),
    look(ANY, ['pingPong'], ['yard', 'room']),
  ],
  babies: [
    look(/Poussette|Porte/, ['stroller'], ['room', 'yard']),
    look(/Lit|Moustiquaire/, ['cot'], ['room']),
    look(/Robe/, ['dress'], ['cloth']),
    look(/Vêtements|Ensemble/, ['babyClothes'], ['cloth', 'mat']),
    look(/Chaussures/, ['sneaker'], ['room', 'yard']),
    look(/Vélo/, ['bicycle'], ['yard']),
    look(/Voiture/, ['kidCar'], ['yard', 'room']),
    look(/Chaise haute/, ['highChair'], ['room']),
    look(/Sac/, ['backpack'], ['room']),
    look(/Livres/, ['books'], ['room', 'shop']),
    look(/Couches/, ['cartons'], ['shop', 'room']),
    look(/Table/, ['lowTable'], ['room']),
    look(ANY, ['toys'], ['room', 'mat']),
  ],
  animals: [look(/Couveuse|feed|Aliment/, ['incubator', 'sacks'], ['yard']), look(/Poussins/, ['chicks'], ['mat']), look(/sheep|Mouton/, ['sheep'], ['field', 'yard']), look(/goat/, ['goat'], ['field', 'yard']), look(/cattle|horse/, ['cow'], ['field']), look(/rabbit/, ['rabbit'], ['yard', 'field']), look(/dog/, ['dog'], ['yard']), look(/bird/, ['parrot'], ['yard']), look(/poultry|Poul|Coq|Pintade/, ['hen'], ['yard', 'field']), look(ANY, ['goat'], ['field'])],
  'audio-music': [look(/Bluetooth|portable/, ['portableSpeaker'], TABLE), look(/speaker/, ['speaker'], INDOORS), look(/headphones/, ['headphones'], TABLE), look(/home-cinema/, ['hifi'], COUNTER), look(/micro/i, ['microphone'], TABLE), look(/guitar/, ['guitar'], ['room', 'yard']), look(/keyboard/, ['keyboard'], ['room']), look(/Balafon/i, ['balafon'], ['yard']), look(/drum|traditional/, ['drum'], ['yard', 'room']), look(/mixer|dj/, ['mixer'], ['room']), look(ANY, ['hifi'], COUNTER)],
  'camera-photo': [look(/drone/, ['drone'], ['yard', 'table']), look(/lens/, ['lens'], ['shop', 'table']), look(/security/, ['securityCamera'], COUNTER), look(/Trépied/i, ['tripod'], ['room']), look(ANY, ['camera'], ['table', 'shop'])],
  'games-consoles': [look(/controller|Manette/, ['pad'], TABLE), look(/^Jeu|game/, ['gameBox'], TABLE), look(/Casque/, ['headphones'], TABLE), look(/PSP|Switch|handheld/, ['pad'], TABLE), look(ANY, ['console'], COUNTER)],
  other: [look(/Groupe/, ['generator'], ['yard', 'street']), look(/Charrette/, ['cart'], ['street', 'field']), look(/Motopompe/, ['pump'], ['field', 'yard']), look(/Bâche/, ['tarp'], ['street', 'field']), look(/Bidons/, ['jerrycans'], ['yard', 'street']), look(/coudre|Surfileuse/, ['sewingMachine'], ['room', 'shop']), look(/Congélateur/, ['freezer'], ['shop']), look(/jus/, ['blender'], ['shop']), look(/Livres/, ['books'], ['room']), look(/Kiosque/, ['kiosk'], ['street']), look(/Balance/, ['scale'], ['shop']), look(/Sacs/, ['sacks'], ['yard', 'shop']), look(/bronze/, ['statue'], ['room', 'shop']), look(ANY, ['machine'], ['yard', 'street'])],
}

const FREE_PAINTS = ['#b3261f', '#2a5aa8', '#3a7a46', '#dba514', '#744a2a', '#6f4a9c', '#2f7f86', '#c0602c', '#8a8f95', '#33363b'] as const
/** Frames as phones and messengers make them; height 300. */
const FRAMES = [400, 400, 400, 300, 225, 240, 533] as const

/** The recipe of one photo of a listing: all of them show the same thing at the same place. */
export function recipeOf(listing: Pick<DemoListing, 'n' | 'subject'>, view: number): Recipe {
  const { subject, n } = listing
  const choice = random('picture', n)
  const names = `${subject.thing} ${subject.facts.type ?? ''} ${subject.facts.device_type ?? ''}`
  const kinds = LOOKS[subject.category] ?? LOOKS.other
  const { things, at } = kinds?.find(({ says }) => says.test(names)) ?? look(ANY, ['machine'], ['yard'])
  const thing = choice.pick(things)
  const backdrop = choice.pick(at)
  const paint = subject.colour === null ? choice.pick(FREE_PAINTS) : (PAINTS[subject.colour] ?? '#83888f')
  const tone = choice.whole(0, 59)
  const frame = choice.pick(FRAMES)
  return { ...inside(thing, subject.category, view, choice), paint, backdrop, tone, frame, view, seed: n }
}

/** Later photos of houses and cars show them from within. */
function inside(thing: ThingName, category: string, view: number, choice: Random): { thing: ThingName } {
  if (category === 'properties' && view >= 2 && thing !== 'land' && thing !== 'warehouse' && choice.chance(0.85)) return { thing: 'interior' }
  if (category === 'vehicles' && view === 3 && choice.chance(0.8)) return { thing: 'dashboard' }
  return { thing }
}

/** The address of what a recipe draws; a new way of drawing must change the mark, since bytes never change under an address. */
export function hashOf(recipe: Recipe): string {
  return createHash('sha256').update(`painted 1 ${JSON.stringify(recipe)}`).digest('hex').slice(0, 32)
}

/** Of the photo as the seller's telephone would have taken it, in px. */
export function sizeOf({ frame, seed }: Recipe): { width: number; height: number } {
  const long = random('size', seed).pick([1280, 1600, 1600])
  return frame >= 300 ? { width: long, height: Math.round((long * 300) / frame) } : { width: Math.round((long * frame) / 300), height: long }
}
