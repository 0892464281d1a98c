import { uuidOf } from '#schema/uuid'

export function newId(): string {
  return uuidOf(Date.now(), crypto.randomUUID().replaceAll('-', ''))
}
