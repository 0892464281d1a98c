import { pino, type DestinationStream, type Logger } from 'pino'

/**
 * Structured lines on the error output, without personal data: of an error only what finds its cause. A database names the value
 * that broke a rule, and a mail server the address that it refused; neither belongs in a log.
 */
export function openLog(level: string, to: DestinationStream = pino.destination(2)): Logger {
  return pino({ level, base: null, serializers: { err: errorOf } }, to)
}

function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'no error object' }
  const text = (name: string): string | undefined => {
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

const masked = (text: string): string =>
  text
    .replaceAll(/[^\s<>"'()=]+@[^\s<>"'()]+\.[^\s<>"'(),;]+/g, '(address)')
    .replaceAll(/\+?\d[\d .-]{6,}\d/g, '(number)')
