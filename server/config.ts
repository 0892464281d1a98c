import * as v from 'valibot'
import { join, resolve } from 'node:path'

/** `main` prints the message on one line and exits with 78. */
export class ConfigError extends Error {}

const blankIsAbsent = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )

const whole = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^-?\d{1,12}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )
const url = (...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check((text) => URL.canParse(text), 'must be a URL'),
    v.check(
      (text) => protocols.includes(new URL(text).protocol),
      `must begin with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    ),
  )
const root = v.pipe(
  url('http:', 'https:'),
  v.check((text) => !/[?#]/.test(text), 'must have no ? and no #'),
)
const oneOf = <T extends string>(...names: [...T[], T]) =>
  v.picklist(names, `must be ${names.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`)
const switched = v.pipe(
  oneOf('on', 'off'),
  v.transform((text) => text === 'on'),
)

const maybeText = v.optional(v.string())

const settings = v.object({
  NODE_ENV: v.optional(v.string(), ''),
  PORT: v.optional(whole(0, 65_535), '8080'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  PUBLIC_URL: v.optional(root),
  DATA_DIR: v.optional(v.string(), './data'),
  WEB_DIR: v.optional(v.string(), join(import.meta.dirname, '../dist/web')),
  DATABASE_URL: v.optional(url('postgres:', 'postgresql:')),
  DATABASE_POOL: v.optional(whole(2, 200), '10'),
  REDIS_URL: v.optional(url('redis:', 'rediss:')),
  S3_ENDPOINT: v.optional(url('http:', 'https:')),
  S3_REGION: v.optional(v.string(), 'auto'),
  S3_BUCKET: maybeText,
  S3_ACCESS_KEY_ID: maybeText,
  S3_SECRET_ACCESS_KEY: maybeText,
  SMTP_URL: v.optional(url('smtp:', 'smtps:')),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^([^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        'must be an address like Yaar <no-reply@example.com>',
      ),
    ),
  ),
  VAPID_PUBLIC_KEY: maybeText,
  VAPID_PRIVATE_KEY: maybeText,
  VAPID_SUBJECT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(mailto:.+@.+|https:\/\/.+)$/, 'must be a mailto: or https:// address'),
    ),
  ),
  DEMO: v.optional(
    v.pipe(
      oneOf('0', '1'),
      v.transform((text) => text === '1'),
    ),
  ),
  DEMO_LISTINGS: v.optional(whole(0, 1_000_000), '5000'),
  DEMO_USERS: v.optional(whole(10, 1_000_000), '2000'),
  OPERATOR_NAME: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'is too long'))),
  OPERATOR_CONTACT: v.optional(
    v.pipe(v.string(), v.regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be an e-mail address')),
  ),
  LISTING_REVIEW: v.optional(oneOf('manual', 'auto'), 'manual'),
  CORS_ORIGINS: v.optional(v.string(), ''),
  TRUST_PROXY: v.optional(whole(0, 10), '0'),
  METRICS_TOKEN: maybeText,
  LOG_LEVEL: v.optional(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
  ),
  RATE_LIMITS: v.optional(switched, 'on'),
  PUSH_ALLOW_INSECURE: v.optional(switched, 'off'),
  TEST_CLOCK_OFFSET_S: v.optional(whole(-4_000_000_000, 4_000_000_000), '0'),
})

/** The settings of [SURFACE 1] and [API 16]. Throws ConfigError, which names the variable. */
export function readConfig(env: NodeJS.ProcessEnv) {
  const read = v.safeParse(settings, blankIsAbsent(env), { abortPipeEarly: true })
  if (!read.success) {
    const issue = read.issues[0]
    throw new ConfigError(`${v.getDotPath(issue) ?? 'environment'} ${issue.message}`)
  }
  const set = read.output
  const production = set.NODE_ENV === 'production'
  if (production) refuseTestSettings(set)
  const s3 = together({
    S3_ENDPOINT: set.S3_ENDPOINT,
    S3_BUCKET: set.S3_BUCKET,
    S3_ACCESS_KEY_ID: set.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: set.S3_SECRET_ACCESS_KEY,
  })
  const vapid = together({
    VAPID_PUBLIC_KEY: set.VAPID_PUBLIC_KEY,
    VAPID_PRIVATE_KEY: set.VAPID_PRIVATE_KEY,
  })
  return {
    production,
    port: set.PORT,
    host: set.HOST,
    /** No trailing slash; null: the address of the ready line. */
    publicUrl: set.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir: resolve(set.DATA_DIR),
    webDir: resolve(set.WEB_DIR),
    database: { url: set.DATABASE_URL ?? null, pool: set.DATABASE_POOL },
    redisUrl: set.REDIS_URL ?? null,
    s3: s3 && {
      endpoint: s3.S3_ENDPOINT,
      region: set.S3_REGION,
      bucket: s3.S3_BUCKET,
      accessKeyId: s3.S3_ACCESS_KEY_ID,
      secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
    },
    mail: { smtpUrl: set.SMTP_URL ?? null, from: set.MAIL_FROM ?? 'Yaar <no-reply@localhost>' },
    vapid: vapid && { publicKey: vapid.VAPID_PUBLIC_KEY, privateKey: vapid.VAPID_PRIVATE_KEY },
    vapidSubject: set.VAPID_SUBJECT ?? 'mailto:no-reply@localhost.localdomain',
    // Its accounts have a known password: in production, or with DATABASE_URL, only on request.
    demo: {
      fill: set.DEMO ?? (!production && set.DATABASE_URL === undefined),
      listings: set.DEMO_LISTINGS,
      users: set.DEMO_USERS,
    },
    operator: { name: set.OPERATOR_NAME ?? null, contact: set.OPERATOR_CONTACT ?? null },
    listingReview: set.LISTING_REVIEW,
    corsOrigins: origins(set.CORS_ORIGINS),
    trustProxy: set.TRUST_PROXY,
    metricsToken: set.METRICS_TOKEN ?? null,
    logLevel: set.LOG_LEVEL,
    rateLimits: set.RATE_LIMITS,
    pushAllowInsecure: set.PUSH_ALLOW_INSECURE,
    clockOffsetMs: set.TEST_CLOCK_OFFSET_S * 1000,
  }
}

export type Config = Readonly<ReturnType<typeof readConfig>>

/** [D120] */
function refuseTestSettings(set: v.InferOutput<typeof settings>) {
  const refused = 'is for tests and refused when NODE_ENV=production'
  if (!set.RATE_LIMITS) throw new ConfigError(`RATE_LIMITS=off ${refused}`)
  if (set.PUSH_ALLOW_INSECURE) throw new ConfigError(`PUSH_ALLOW_INSECURE=on ${refused}`)
  if (set.TEST_CLOCK_OFFSET_S !== 0) throw new ConfigError(`TEST_CLOCK_OFFSET_S ${refused}`)
}

function together<Name extends string>(
  parts: Record<Name, string | undefined>,
): Record<Name, string> | null {
  const complete = (some: Record<Name, string | undefined>): some is Record<Name, string> =>
    Object.values(some).every((value) => value !== undefined)
  if (complete(parts)) return parts
  const missing = Object.entries(parts)
    .filter(([, value]) => value === undefined)
    .map(([name]) => name)
  if (missing.length < Object.keys(parts).length)
    throw new ConfigError(
      `${missing.join(', ')} must be set too, or none of ${Object.keys(parts).join(', ')}`,
    )
  return null
}

function origins(list: string) {
  return list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      if (!URL.canParse(text) || new URL(text).origin === 'null')
        throw new ConfigError(
          `CORS_ORIGINS must list origins like https://example.com, not ${text}`,
        )
      return new URL(text).origin
    })
}
