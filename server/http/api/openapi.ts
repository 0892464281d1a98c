import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { APP_NAME } from '#schema/app'
import { session, user } from '#schema/wire/account'
import { category, specField } from '#schema/wire/catalogue'
import { conversation } from '#schema/wire/conversation'
import { facets, listingCard, listingDetail } from '#schema/wire/listing'
import { message } from '#schema/wire/message'
import { notification } from '#schema/wire/notification'
import { problem } from '#schema/wire/problem'
import { image, sellerMini } from '#schema/wire/shapes'
import { description } from '#schema/wire/operations'
import { shop } from '#schema/wire/shop'
import type { Call } from '#schema/wire/call'
import { version } from '../../version.ts'
import { readRoute, type Route, view } from '../../route/index.ts'

const named = {
  Category: category,
  Conversation: conversation,
  Facets: facets,
  Image: image,
  ListingCard: listingCard,
  ListingDetail: listingDetail,
  Message: message,
  Notification: notification,
  Problem: problem,
  SellerMini: sellerMini,
  Session: session,
  Shop: shop,
  SpecField: specField,
  User: user,
}

const at = (name: string) => `#/components/schemas/${name}`
const settings = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => at(referenceId),
} as const

type Json = Readonly<Record<string, unknown>>

/** Describes itself too. */
export function descriptionRoute(routes: readonly Route[]): Route {
  let made: Json | null = null
  const route: Route = readRoute(description, async () => (made ??= describe([...routes, route])))
  return route
}

/** [API 15] */
export function describe(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const { call, options } of routes)
    (paths[`/api/${call.path}`] ??= {})[call.method.toLowerCase()] = operation(
      call,
      options.limit !== undefined,
    )
  return {
    openapi: '3.1.0',
    info: {
      title: `${APP_NAME} API`,
      version,
      description:
        'Classified ads for Burkina Faso. Errors are Problems; texts follow Accept-Language ' +
        '(fr, en); writes take an Idempotency-Key.',
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: toJsonSchemaDefs(named, settings),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Token <token>`, as auth/register/ and auth/login/ give it',
        },
      },
    },
  }
}

function operation(call: Call, limited: boolean) {
  const content = call.body === null && call.form === 'json' ? null : bodyOf(call)
  return {
    operationId: call.name,
    tags: [call.name.split('.')[0]],
    ...(call.access === 'signed-in'
      ? { security: [{ token: [] }] }
      : call.access === 'public'
        ? { security: [{}, { token: [] }] }
        : { security: [{}] }),
    parameters: [
      ...[...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
      })),
      ...queryOf(call),
      ...(call.keyed ? [KEY] : []),
    ],
    ...(content !== null && { requestBody: { content, required: call.form === 'multipart' } }),
    responses: {
      [call.status]:
        call.answer === null
          ? { description: 'done' }
          : {
              description: 'done',
              content: { 'application/json': { schema: schemaOf(call.answer) } },
            },
      ...(call.method === 'GET' &&
        ['catalogue', 'static', 'personal'].includes(call.cache) && {
          304: { description: 'unchanged since the ETag of If-None-Match' },
        }),
      ...(limited && {
        429: {
          ...refusal('too often; Retry-After says when'),
          headers: { 'Retry-After': { schema: { type: 'integer' } } },
        },
      }),
      '4XX': refusal('refused'),
      '5XX': refusal('trouble on our side; nothing was done'),
    },
  }
}

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 8, maxLength: 255 },
}
const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: at('Problem') } } },
})

function queryOf({ query }: Call) {
  if (query === null) return []
  return Object.entries(view(query).entries).map(([name, schema]) => {
    const { list, optional } = view(schema)
    return {
      name,
      in: 'query',
      required: !optional,
      schema: schemaOf(schema),
      ...(list && { style: 'form', explode: false }),
    }
  })
}

function bodyOf(call: Call) {
  const json = call.body === null ? { type: 'object' } : schemaOf(call.body)
  if (call.form === 'json') return { 'application/json': { schema: json } }
  if (call.form === 'text')
    return { 'application/json': { schema: json }, 'text/plain': { schema: { type: 'string' } } }
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const files = Object.fromEntries(
    Object.entries(call.files).map(([name, max]) => [
      name,
      max === 1 ? file : { type: 'array', items: file, maxItems: max },
    ]),
  )
  const form = { allOf: [json, { type: 'object', properties: files }] }
  return {
    ...(call.form === 'both' && { 'application/json': { schema: json } }),
    'multipart/form-data': { schema: form },
  }
}

function schemaOf(schema: GenericSchema) {
  const {
    $schema: _,
    $defs: __,
    ...rest
  } = toJsonSchema(schema, { ...settings, definitions: named })
  return rest
}
