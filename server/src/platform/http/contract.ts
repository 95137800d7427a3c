/** What stands in the placeholders of a text, by name; `{ text }` is a text itself, such as the name of a field. */
export type SentenceValues = Record<string, string | number | { text: string }>;

/** A sentence for people: in English, with placeholders such as `{name}`. */
export interface Sentence {
  text: string;
  values: SentenceValues;
}

/**
 * What a message is made of, for those who show it in another language; left out where the message has no values, since it
 * is its own text then.
 */
export type MessageParts = Partial<Sentence>;

/** One failed validation rule of a request, in express-validator's format; `msg` is the text that the forms show. */
export interface FieldError extends MessageParts {
  /** A sentence that may be shown to people. */
  msg: string;
  /** The dotted path in the body or query (`customization.color`). */
  path: string;
}

/** The body of every successful call: HTTP 200, or 201 for a first creation or send. */
export interface Success<Data> {
  success: true;
  message?: string;
  data: Data;
}

/** The body of every failed call; `code` is stable, `message` is a sentence that may be shown to people. */
export interface Failure extends MessageParts {
  success: false;
  message: string;
  code: string;
  /** Only with 422: the fields that failed validation. */
  errors?: FieldError[];
  /** Only with 429 and 503: seconds to wait before a retry. */
  retryAfter?: number;
  /** Only with 500: the id by which the operator finds the log line. */
  requestId?: string;
}

/** The acknowledgement of a socket event; `retryable` says whether the same packet may succeed later. */
export type Ack<Data = unknown> = ({ ok: true } & Data) | Refusal;

/** The acknowledgement of a socket event that was refused, with a sentence as in `Failure`. */
export interface Refusal extends MessageParts {
  ok: false;
  code: string;
  message: string;
  retryable: boolean;
  retryAfterMs?: number;
}

/** The last argument of every socket event that expects an acknowledgement. */
export type AckFn<Data = unknown> = (ack: Ack<Data>) => void;

/** One REST call of the contract: its input, and the `data` of its answer. */
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

/** A page of a list, with the cursor of the next page (`null` at the end). */
export interface Page {
  nextCursor: string | null;
}

/** The query parameters that every list takes besides its own filters. */
export interface PageQuery {
  /** Rows per page, at most `PAGE_LIMIT_MAX`. */
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
}

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 100;

/** The client's timeout of a JSON call, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;
