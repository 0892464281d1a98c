import { useLingui } from '@lingui/react/macro'
import { DATA_FRANCS_PER_GB } from '#schema/limits'
import { keep, stored } from '../data/session.ts'
import { useFormat } from './format.ts'

const KEY = 'data_price'

export function dataPrice() {
  const chosen = Number(stored(KEY))
  return Number.isSafeInteger(chosen) && chosen > 0 ? chosen : DATA_FRANCS_PER_GB
}

export function setDataPrice(francsPerGb: number) {
  keep('local', KEY, String(francsPerGb))
}

/** "1,2 Mo, environ 2 F CFA" or "moins de 1 F CFA". */
export function useCost(): (bytes: number) => string {
  const { t } = useLingui()
  const format = useFormat()
  const price = dataPrice()
  return (bytes) => {
    const size = format.bytes(bytes)
    if (bytes === 0) return size
    if (bytes * price < 1_000_000_000) return t`${size}, moins de ${format.money(1)}`
    const francs = format.money(francsOf(bytes, price))
    return t`${size}, environ ${francs}`
  }
}

/** Rounded up: the cost is never understated. */
export function francsOf(bytes: number, francsPerGb: number) {
  return Math.ceil((bytes * francsPerGb) / 1_000_000_000)
}
