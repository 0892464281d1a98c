export type { Caller } from './caller.ts'
export type { Exchange, UploadedFile } from './exchange.ts'
export { REPLAYED, preparedRoute, readRoute, writeRoute, type Route } from './routes.ts'
export { SUGGEST, countName, type LimitRow, type Window } from './limits.ts'
export { linkTo, linksOf, paged, pageOf, type Page } from './pages.ts'
export {
  refuse,
  refuseField,
  refuseFields,
  refuseUntil,
  requireSame,
  type FieldFault,
  Refusal,
} from './refusal.ts'
export { cacheControl, created, reply } from './reply.ts'
export type { Services } from './services.ts'
export { hashOf, newToken, shortHash } from './token.ts'
export type { FieldTexts } from './values.ts'
export { filled } from './texts.ts'
