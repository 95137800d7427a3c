import type { FieldError } from './contract.ts';

/** Every failure that a caller may hear of: thrown where it arises, answered in one place. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  /** Seconds */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { errors?: FieldError[]; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.retryAfter = more.retryAfter;
  }
}

/** 400: a request that cannot be read. */
export const badRequest = (code: string, message: string) => new AppError(400, code, message);

/** 401: no session, or a dead one. */
export const unauthorized = (message = 'Please log in.', code = 'UNAUTHORIZED') => new AppError(401, code, message);

/** 403: the right place, the wrong role. */
export const forbidden = (code = 'FORBIDDEN', message = 'Your role does not allow this.') =>
  new AppError(403, code, message);

/** 404: not there, or not the caller's to know of. */
export const notFound = (what: string) =>
  new AppError(404, `${what.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`, `This ${what} does not exist.`);

/** 409: the request is fine, the state of things is against it. */
export const conflict = (code: string, message: string) => new AppError(409, code, message);

/** 422: fields that break a rule; the first rule is the message. */
export const invalid = (errors: FieldError[]) =>
  new AppError(422, 'VALIDATION_FAILED', errors[0]?.msg ?? 'Please check your input.', { errors });

/** 429: too fast; `retryAfter` in seconds. */
export const tooMany = (retryAfter: number) =>
  new AppError(429, 'RATE_LIMITED', 'Too many requests. Please wait a moment and try again.', { retryAfter });

/** 503: not now; the same request may succeed later. */
export const unavailable = () =>
  new AppError(503, 'UNAVAILABLE', 'The server is busy. Please try again in a moment.', { retryAfter: 1 });

/** 503: the disk has no room for what is new. Whoever keeps what he sent may try again later. */
export const storageFull = () =>
  new AppError(
    503,
    'STORAGE_FULL',
    'This server has no room left, so nothing new can be stored. Please try again later.',
    {
      retryAfter: FULL_RETRY_S,
    },
  );

/** Room is made by people: nothing is gained by asking sooner. */
const FULL_RETRY_S = 30;
const DUPLICATE_KEY = 11_000;

/** Whether a write met a unique index, and if so on which fields. */
export function duplicateKey(error: unknown): string[] | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== DUPLICATE_KEY) return null;
  return 'keyPattern' in error ? Object.keys(error.keyPattern as object) : [];
}

/** Names of the driver's errors after which the same write may succeed (or turns out to have succeeded). */
const STORE_DOWN =
  /^Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|ExpiredSession|PoolCleared|WriteConcern|TopologyClosed|ConnectionPoolClosed)/;

/** Codes of a store that is stalled: MaxTimeMSExpired, InterruptedAtShutdown. */
const STORE_BUSY_CODES = [50, 11_600];
/** MongoDB's code for a write that the disk has no room for. */
export const OUT_OF_DISK_SPACE = 14_031;

/** Any thrown value as an `AppError`; null: a bug, to be logged and answered with 500. */
export function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  if (STORE_DOWN.test(error.name)) return unavailable();
  const code = 'code' in error ? error.code : undefined;
  if (code === OUT_OF_DISK_SPACE) return storageFull();
  if (typeof code === 'number' && STORE_BUSY_CODES.includes(code)) return unavailable();
  return bodyError(error);
}

/** The body parser's failures, told by their `type`. */
function bodyError(error: Error): AppError | null {
  if (!('type' in error) || !('status' in error)) return null;
  if (error.type === 'entity.too.large') return new AppError(413, 'TOO_LARGE', 'The request is too large.');
  if (typeof error.status === 'number' && error.status < 500)
    return badRequest('BAD_REQUEST', 'The request could not be read.');
  return null;
}
