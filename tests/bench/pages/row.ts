export interface Shown {
  readonly id: string
  readonly title: string
  readonly price: number | null
  readonly town_name: string | null
  readonly region_name: string
}

/** A row that a baseline stores; `newest` is its sort key. */
export interface Row extends Shown {
  readonly newest: number
}

export const FIRST = 20

export const textsOf = (row: Shown): readonly [string, string, string] => [
  row.price === null ? 'Prix sur demande' : `${row.price.toLocaleString('fr-FR')} F CFA`,
  row.title,
  row.town_name ?? row.region_name,
]
