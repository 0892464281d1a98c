/** What the baselines know of a listing: as little as a list shows. */
export interface Row {
  readonly id: string
  readonly title: string
  readonly price: number | null
  readonly town_name: string | null
  readonly region_name: string
  readonly newest: number
}

export const FIRST = 20

export const words = (row: Row): readonly [string, string, string] => [
  row.price === null ? 'Prix sur demande' : `${row.price.toLocaleString('fr-FR')} F CFA`,
  row.title,
  row.town_name ?? row.region_name,
]
