import { slugOf } from '../nouns/account/user.ts'
import { filled } from '../route/texts.ts'
import { weightedChoice, type Random, random } from './random.ts'
import { fillTemplate } from './phrases.ts'
import { content } from './source.ts'
import { pickTown, pickLocation, type Location } from './location.ts'

const DAY = 86_400_000

/**
 * A user of the demo. Times are days before the demo's now, so that the same users are always
 * equally old.
 */
export interface Person {
  readonly n: number
  readonly username: string
  readonly email: string
  readonly emailVerified: boolean
  readonly phone: string | null
  readonly hasAvatar: boolean
  readonly shopName: string | null
  readonly bio: string
  readonly verifiedSeller: boolean
  readonly moderator: boolean
  readonly joinedDaysAgo: number
  readonly responseHours: number | null
  /** The category they mostly sell, and their share of listings; 0 sells nothing. */
  readonly focus: string
  readonly salesWeight: number
  readonly location: Location
}

/** The named accounts come first; all others are random. */
export const ACCOUNTS = { buyer: 0, seller: 1, moderator: 2 } as const

const categoryOf = weightedChoice(Object.entries(content.categories), ([, { weight }]) => weight)

export function makePeople(count: number): Person[] {
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, n) => named(n) ?? makePerson(n, taken))
}

function named(n: number): Person | null {
  const account = content.people.accounts[n]
  return account === undefined
    ? null
    : {
        n,
        ...account,
        email: `${account.username}@example.com`,
        emailVerified: true,
        hasAvatar: true,
        focus: 'motos',
        salesWeight: 0,
        location: pickLocation(random('spot of account', 1), 0),
      }
}

function makePerson(n: number, taken: Set<string>): Person {
  const choice = random('person', n)
  const { people } = content
  const given = choice.pick(people.given)
  const family = choice.pick(people.family)
  const location = pickLocation(choice, 0)
  const seller = choice.chance(0.46)
  const shop = seller && choice.chance(0.16 / 0.46)
  const focus = categoryOf(choice)[0]
  const username = makeUsername(given, family, taken, choice)
  return {
    n,
    username,
    email: `${username.toLowerCase()}@exemple.test`,
    emailVerified: choice.chance(0.63),
    // A number range that is not in service.
    phone: choice.chance(0.71) || shop ? `+22609${choice.whole(200_000, 999_999)}` : null,
    hasAvatar: choice.chance(0.7),
    shopName: shop ? makeShopName(given, focus, location, choice) : null,
    bio:
      seller && choice.chance(0.6)
        ? choice.pick([...(people.bios[focus] ?? []), ...(shop ? [] : (people.bios['any'] ?? []))])
        : '',
    verifiedSeller: seller && choice.chance(0.12 / 0.46),
    moderator: false,
    // Sellers joined before the oldest listing.
    joinedDaysAgo: Math.max(
      seller ? 125 : 1,
      Math.round(1460 * (1 - Math.max(choice.next(), choice.next()))),
    ),
    responseHours:
      seller && choice.chance(0.6) ? Number(choice.weigh(people.response_hours)) : null,
    focus,
    salesWeight: !seller ? 0 : shop ? 20 + 120 * choice.next() ** 3 : zipf(choice),
    location,
  }
}

/** 1 to 60, small numbers far more often. */
function zipf(choice: Random): number {
  const power = 1.25 - 1
  const low = 61 ** -power
  return Math.floor((low + choice.next() * (1 - low)) ** (-1 / power))
}

function makeUsername(given: string, family: string, taken: Set<string>, choice: Random): string {
  const plain = (text: string) => slugOf(text).replaceAll('-', '')
  const { patterns, words } = content.people.usernames
  for (;;) {
    const name = filled(choice.pick(patterns), {
      given: plain(given),
      family4: plain(family).slice(0, 4),
      family1: plain(family).slice(0, 1),
      f: plain(family).slice(0, 1),
      town4: plain(pickTown(choice).name).slice(0, 4),
      word: choice.pick(words),
      nn: choice.whole(10, 99),
      n: choice.whole(0, 9),
    })
    // A number makes a taken name unique.
    const free = !taken.has(name) ? name : `${name}${taken.size}`
    if (free.length >= 3 && free.length <= 24 && !taken.has(free)) {
      taken.add(free)
      return free
    }
  }
}

function makeShopName(given: string, focus: string, location: Location, choice: Random): string {
  const { shops } = content
  const town = location.town?.name ?? 'Faso'
  const words = {
    given,
    trade: choice.pick(shops.trades[focus] ?? ['Boutique']),
    town_short: town.replace('Ouagadougou', 'Ouaga').replace('Bobo-Dioulasso', 'Bobo'),
    word: choice.pick(shops.words),
    place: choice.pick(shops.places),
    of_thing: shops.of_thing[focus],
    quartier: location.neighbourhood?.name ?? town,
  }
  const names = shops.patterns.flatMap((pattern) => fillTemplate(pattern, words) ?? [])
  return choice.pick(names).slice(0, 60)
}

export const joinedAt = (person: Person, now: number): number =>
  now - person.joinedDaysAgo * DAY - (person.n % 1440) * 60_000
