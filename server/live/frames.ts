import { isMembers } from '#schema/members'
import { jsonOf, parsed } from '#schema/parsed'
import { SOCKET_BAD_FRAMES, SOCKET_FRAMES, SOCKET_FRAMES_MS } from '#schema/limits'
import { clientFrame, CLIENT_FRAMES, CLOSE, type ClientFrame } from '#schema/wire/socket'

/** Valid, invalid of a known type, of an unknown type, or no JSON object. */
type Read = { readonly frame: ClientFrame } | { readonly wrong: string } | 'ignored' | 'rubbish'

/** [API 14.3]: one JSON object, or the bare text `ping`. */
export function readFrame(data: string | null): Read {
  if (data === null) return 'rubbish'
  if (data === 'ping') return { frame: { type: 'ping' } }
  const value = jsonOf(data)
  if (!isMembers(value)) return 'rubbish'
  const known = CLIENT_FRAMES.find((name) => name === value['type'])
  if (known === undefined) return 'ignored'
  const frame = parsed(clientFrame, value)
  return frame === null ? { wrong: known } : { frame }
}

export interface Budget {
  readonly times: number[]
  rubbish: number
}

export function count(budget: Budget, now: number) {
  const { times } = budget
  while (times[0] !== undefined && times[0] <= now - SOCKET_FRAMES_MS) times.shift()
  times.push(now)
  return times.length > SOCKET_FRAMES ? CLOSE.tooManyFrames : null
}

export function countRubbish(budget: Budget) {
  budget.rubbish += 1
  return budget.rubbish >= SOCKET_BAD_FRAMES ? CLOSE.rubbish : null
}
