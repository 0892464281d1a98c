import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('[SURFACE 1] everything has a default', () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: null,
    database: { url: null },
    redisUrl: null,
    s3: null,
    vapid: null,
    demo: { fill: true, listings: 5000, users: 2000 },
    listingReview: 'manual',
    corsOrigins: [],
    trustProxy: 0,
    metricsToken: null,
    rateLimits: true,
    pushAllowInsecure: false,
    clockOffsetMs: 0,
  })
})

test('[API 16] settings are read; an empty variable counts as unset', () => {
  const config = readConfig({
    PORT: '9000',
    PUBLIC_URL: 'https://yaar.bf/',
    CORS_ORIGINS: 'https://a.bf, https://b.bf/path',
    DEMO: '0',
    RATE_LIMITS: 'off',
    TEST_CLOCK_OFFSET_S: '-60',
    REDIS_URL: ' ',
    S3_ENDPOINT: 'http://s3.test',
    S3_BUCKET: 'b',
    S3_ACCESS_KEY_ID: 'k',
    S3_SECRET_ACCESS_KEY: 's',
  })
  expect(config).toMatchObject({
    port: 9000,
    publicUrl: 'https://yaar.bf',
    corsOrigins: ['https://a.bf', 'https://b.bf'],
    demo: { fill: false },
    rateLimits: false,
    clockOffsetMs: -60_000,
    redisUrl: null,
  })
  expect(config.s3).toEqual({
    endpoint: 'http://s3.test',
    region: 'auto',
    bucket: 'b',
    accessKeyId: 'k',
    secretAccessKey: 's',
  })
})

test.each([
  [{}, true],
  [{ NODE_ENV: 'production' }, false],
  [{ DATABASE_URL: 'postgres://localhost/market' }, false],
  [{ DATABASE_URL: 'postgres://localhost/market', DEMO: '1' }, true],
  [{ NODE_ENV: 'production', DEMO: '1' }, true],
])('[SURFACE 1] with %j an empty database is filled with the demo: %s', (env, fill) => {
  expect(readConfig(env).demo.fill).toBe(fill)
})

test.each(['no-reply@yaar.bf', 'Yaar <no-reply@yaar.bf>', '<no-reply@yaar.bf>'])(
  '[API 16] %s is an address for mails',
  (from) => {
    expect(readConfig({ MAIL_FROM: from }).mail.from).toBe(from)
  },
)

test.each([
  [{ PORT: '70000' }, 'PORT must be at most 65535'],
  [{ PORT: '8080.5' }, 'PORT must be a whole number'],
  [{ PUBLIC_URL: 'yaar.bf' }, 'PUBLIC_URL must be a URL'],
  [{ PUBLIC_URL: 'ftp://yaar.bf' }, 'PUBLIC_URL must begin with http:// or https://'],
  [{ PUBLIC_URL: 'https://yaar.bf/?a=b' }, 'PUBLIC_URL must have no ? and no #'],
  [{ MAIL_FROM: 'Yaar' }, 'MAIL_FROM must be an address like Yaar <no-reply@example.com>'],
  [{ OPERATOR_CONTACT: 'Awa' }, 'OPERATOR_CONTACT must be an e-mail address'],
  [{ LISTING_REVIEW: 'maybe' }, 'LISTING_REVIEW must be manual or auto'],
  [{ DEMO: 'yes' }, 'DEMO must be 0 or 1'],
  [{ RATE_LIMITS: '0' }, 'RATE_LIMITS must be on or off'],
  [
    { VAPID_PUBLIC_KEY: 'x' },
    'VAPID_PRIVATE_KEY must be set too, or none of VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY',
  ],
  [{ VAPID_SUBJECT: 'me' }, 'VAPID_SUBJECT must be a mailto: or https:// address'],
  [
    { CORS_ORIGINS: 'https://a.bf,b.bf' },
    'CORS_ORIGINS must list origins like https://example.com, not b.bf',
  ],
  [
    { NODE_ENV: 'production', RATE_LIMITS: 'off' },
    'RATE_LIMITS=off is for tests and refused when NODE_ENV=production',
  ],
])('[API 16] %j: %s', (env, line) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(line))
})
