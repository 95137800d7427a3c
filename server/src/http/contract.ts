/** One broken rule of a request: express-validator's own shape, so that `msg` is what the spec's screens show. */
export interface FieldError {
  /** A sentence fit to show. */
  msg: string;
  /** Where in the body or query it is, dotted (`customization.color`). */
  path: string;
}

/** What every successful call answers: HTTP 200, or 201 for a first creation or send. */
export interface Success<Data> {
  success: true;
  message?: string;
  data: Data;
}

/** What every failed call answers; `code` is stable, `message` is a sentence fit to show. */
export interface Failure {
  success: false;
  message: string;
  code: string;
  /** Only with 422: which fields break which rule. */
  errors?: FieldError[];
  /** Only with 429 and 503: seconds to wait before another try. */
  retryAfter?: number;
  /** Only with 500: what the operator finds the log line by. */
  requestId?: string;
}

/** What a socket event is acknowledged with; `retryable` says whether the same packet may succeed later. */
export type Ack<Data = unknown> =
  | ({ ok: true } & Data)
  | { ok: false; code: string; message: string; retryable: boolean; retryAfterMs?: number };

/** The last argument of every socket event that asks for something. */
export type AckFn<Data = unknown> = (ack: Ack<Data>) => void;

/** One row of the REST contract: what a call takes and what it answers under `data`. */
export interface Call {
  body?: object;
  query?: object;
  data: object;
}

/** The names of the `:params` in a route (`'/chats/:id'` gives `'id'`). */
export type ParamsOf<Route extends string> = Route extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamsOf<`/${Tail}`>
    : Rest
  : never;

/** The answer of a list: one page, and where the next begins (`null` at the end). */
export interface Page {
  nextCursor: string | null;
}

/** What every list takes besides its own filters. */
export interface PageQuery {
  /** Rows a page, at most `PAGE_LIMIT_MAX`. */
  limit?: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
}

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 100;

/** How long a JSON call may take before the client gives it up, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;
