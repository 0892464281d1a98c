import { pino, type DestinationStream, type Logger } from 'pino'

/**
 * On stderr, without personal data: databases quote rejected values and mail servers quote
 * addresses.
 */
export function openLog(level: string, to: DestinationStream = pino.destination(2)): Logger {
  return pino({ level, base: null, serializers: { err: errorOf } }, to)
}

function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'no error object' }
  const text = (name: string) => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    type: error.name,
    message: masked(error.message),
    code: text('code'),
    constraint: text('constraint'),
    stack: error.stack === undefined ? undefined : masked(error.stack),
  }
}

const masked = (text: string) =>
  text
    .replaceAll(/[^\s<>"'()=]+@[^\s<>"'()]+\.[^\s<>"'(),;]+/g, '(address)')
    .replaceAll(/\+?\d[\d .-]{6,}\d/g, '(number)')
