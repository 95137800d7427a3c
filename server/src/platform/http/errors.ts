import { DUPLICATE_KEY, isBusy, OUT_OF_DISK_SPACE } from '#platform/database';
import type { FieldError } from './contract.ts';
import { inEnglish, partsOf, sentence, type TranslatableText } from './sentence.ts';

/** Every failure that callers may see: thrown where it arises, turned into an answer in one place. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  /** What the message was made of. */
  readonly text: TranslatableText;
  readonly errors: FieldError[] | undefined;
  /** Seconds */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    text: TranslatableText,
    more: { errors?: FieldError[]; retryAfter?: number } = {},
  ) {
    super(inEnglish(text));
    this.status = status;
    this.code = code;
    this.text = text;
    this.errors = more.errors;
    this.retryAfter = more.retryAfter;
  }
}

/** 400: a malformed request. */
export const badRequest = (code: string, text: TranslatableText) => new AppError(400, code, text);

/** 401: no session, or one that has ended. */
export const unauthorized = (text: TranslatableText = sentence('Please log in.'), code = 'UNAUTHORIZED') =>
  new AppError(401, code, text);

/** 403: the caller's role does not allow it. */
export const forbidden = (code = 'FORBIDDEN', text: TranslatableText = sentence('Your role does not allow this.')) =>
  new AppError(403, code, text);

/** 404: it does not exist, or the caller may not know that it does. */
export const notFound = (what: string) => new AppError(404, notFoundCode(what), absenceOf(what));

const notFoundCode = (what: string) => `${what.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`;
/** Not one text with a value: other languages have another article for each thing, so the catalogues have each sentence. */
const absenceOf = (what: string) => ({ text: `This ${what} does not exist.`, values: {} }) as TranslatableText;

/** 409: a valid request that conflicts with the current state. */
export const conflict = (code: string, text: TranslatableText) => new AppError(409, code, text);

/** A fault of one field. */
export interface Fault {
  msg: TranslatableText;
  path: string;
}

/** 422: fields that fail validation; the first failure is the message. */
export const invalid = (faults: Fault[]) => {
  const errors = faults.map(({ msg, path }) => ({ msg: inEnglish(msg), ...partsOf(msg), path }));
  return new AppError(422, 'VALIDATION_FAILED', faults[0]?.msg ?? sentence('Please check your input.'), { errors });
};

/** 429: too many requests; `retryAfter` in seconds. */
export const tooMany = (retryAfter: number) =>
  new AppError(429, 'RATE_LIMITED', sentence('Too many requests. Please wait a moment and try again.'), { retryAfter });

/** 503: temporarily unavailable; the same request may succeed later. */
export const unavailable = () =>
  new AppError(503, 'UNAVAILABLE', sentence('The server is busy. Please try again in a moment.'), { retryAfter: 1 });

/** 503: the disk has no room for new data. A client that keeps its unsent data may retry later. */
export const storageFull = () =>
  new AppError(
    503,
    'STORAGE_FULL',
    sentence('This server has no storage left, so nothing new can be saved. Please try again later.'),
    {
      retryAfter: FULL_RETRY_S,
    },
  );

/** People have to free space, so an earlier retry would not succeed. */
const FULL_RETRY_S = 30;

/** The fields of the unique index that a write violated, none if the database does not say; null: the error is another one. */
export function duplicateKey(error: unknown): string[] | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== DUPLICATE_KEY) return null;
  if ('keyPattern' in error) return Object.keys(error.keyPattern as object);
  // Databases that only speak MongoDB's protocol have the index's name in the text, or nowhere.
  const [, name = ''] = /\bindex:? '?([\w.-]+)/i.exec(error.message) ?? [];
  return name.split(/_-?1(?:_|$)/).filter((field) => field !== '');
}

/** Whether a unique index with this field refused a write, or one of which the database does not say which. */
export function isDuplicate(error: unknown, field: string): boolean {
  const fields = duplicateKey(error);
  return fields !== null && (fields.length === 0 || fields.includes(field));
}

/** Names of driver errors after which the same write may succeed on a retry (or turn out to have succeeded). */
const STORE_DOWN =
  /^StoreConnection|^Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|ExpiredSession|PoolCleared|WriteConcern|TopologyClosed|ConnectionPoolClosed)/;

/** 500: a bug of the server, which was logged. */
export const internal = () =>
  new AppError(500, 'INTERNAL', sentence('Something went wrong on our side. Please try again.'));

/** Converts any thrown value to an `AppError`; null: a bug, to be logged and answered with 500. */
export function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  if (STORE_DOWN.test(error.name) || isBusy(error)) return unavailable();
  const code = 'code' in error ? error.code : undefined;
  if (code === OUT_OF_DISK_SPACE) return storageFull();
  return refusalOf(error);
}

/**
 * What the body parser, the router and the file server refuse: their errors carry the status of the answer. It is the caller's
 * fault, and never the server's, so it is not logged.
 */
function refusalOf(error: Error): AppError | null {
  if (!('status' in error) || typeof error.status !== 'number') return null;
  const { status } = error;
  if (status < 400 || status >= 500) return null;
  if (status === 413) return new AppError(413, 'TOO_LARGE', sentence('The request is too large.'));
  return status === 404 ? notFound('call') : badRequest('BAD_REQUEST', sentence('The request could not be read.'));
}
