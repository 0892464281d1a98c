export { type Caller, callerOf, type Known, callerByToken } from './caller.ts'
export type { Exchange, UploadedFile, RawBody } from './exchange.ts'
export { REPLAYED, preparedRoute, readRoute, writeRoute, type Route } from './routes.ts'
export {
  SUGGEST,
  countName,
  type LimitRow,
  type Window,
  memoryLimiter,
  SET_BACK_MS,
  type Limiter,
  ALL,
  BAD_TOKENS,
  countRow,
  READS,
  type Who,
  TOWN,
} from './limits.ts'
export { linkTo, linksOf, paged, pageOf, type Page, type Listed } from './pages.ts'
export {
  refuse,
  refuseField,
  refuseFields,
  refuseUntil,
  requireSame,
  type FieldFault,
  Refusal,
} from './refusal.ts'
export { cacheControl, created, reply, Reply } from './reply.ts'
export type { Services } from './services.ts'
export { hashOf, newToken, shortHash } from './token.ts'
export { type FieldTexts, soundText, unprinted, view } from './values.ts'
export { filled, texts } from './texts.ts'
export { addressOf, networkOf } from './clientAddress.ts'
export { languageOf } from './language.ts'
