import { uuidOf } from '#schema/uuid'

export function newId() {
  return uuidOf(Date.now(), crypto.randomUUID().replaceAll('-', ''))
}
