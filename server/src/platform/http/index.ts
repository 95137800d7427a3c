export { addressKey, type TrustsProxy } from './address.ts';
export { type FixedJson, fixedJson, jsonList, sendFixedJson } from './answer.ts';
export { type Audience, catalogue, type RegisteredCall } from './endpoint/catalogue.ts';
export { dayField, TIME_ZONE_MAX_LENGTH, timeZoneField } from './endpoint/days.ts';
export { anyone, byFirstSegment, type Download, endpoints, type Guard, guard, siteIdOf } from './endpoint/endpoint.ts';
export { handleSocketEvent, type Report } from './endpoint/event.ts';
export {
  changedFields,
  choice,
  clientIdField,
  converted,
  fieldAt,
  flag,
  ID_JSON_SCHEMA,
  InvalidValue,
  idField,
  isId,
  pageFields,
  text,
  whole,
  wholeQuery,
} from './endpoint/fields.ts';
export { type Field, JSON_SCHEMA, type JsonSchema, objectSchemaOf } from './endpoint/jsonSchema.ts';
export { openApi } from './endpoint/openapi.ts';
export {
  idBehind,
  idCursor,
  invalidCursor,
  olderThan,
  type PageOf,
  readPage,
  timeBehind,
  timeCursor,
  toPage,
} from './endpoint/pager.ts';
export { type InputSchema, validate } from './endpoint/validate.ts';
export { errorHandler, unknownCall } from './errorHandler.ts';
export {
  AppError,
  asAppError,
  badRequest,
  conflict,
  duplicateKey,
  type Fault,
  forbidden,
  internal,
  invalid,
  isDuplicate,
  notFound,
  storageFull,
  tooMany,
  unauthorized,
  unavailable,
} from './errors.ts';
export { addressOf, boundConnections, corkWrites, inTurn, PEER_TIMEOUTS_MS } from './limits/connectionLimits.ts';
export { formatSize, LimitsError, limitsTable, readLimits, readSize } from './limits/limitSettings.ts';
export { type ChangedLimits, createLimits, type Limits, type RateName } from './limits/limits.ts';
export { LIMITS } from './limits/limitTable.ts';
export { createLog, requestLog } from './log.ts';
export { createMetrics, type Health, healthRoutes, type Metrics } from './metrics.ts';
export { type BuiltFile, bytesFor, ENCODINGS, type FindReleaseFile } from './pages/builtFile.ts';
export { dashboard } from './pages/pages.ts';
export { widgetFiles } from './pages/widget.ts';
export { exemptOwnPages, resumePage, testPage, widgetPreview } from './pages/widgetPages.ts';
export { isPublicUrl, PrivateAddressError, publicAgent } from './publicAddress.ts';
export { boundedAddress, nonceOf, securityHeaders, uncached } from './security.ts';
export { inEnglish, labelled, partsOf, sentence, type TranslatableText } from './sentence.ts';
export { boundPerAddress, closeIdleConnections, createHttpServer, listen, whenClosed } from './server.ts';
export { boundUnread } from './unreadAnswers.ts';
