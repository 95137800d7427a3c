import type { Failure, FieldError, MessageParts, SentenceValues } from 'server/contract';
import { localeTag, t } from './i18n.ts';
import { token } from './token.ts';

/** The address below which the REST API lies; whole, since `fetch` asks for that outside a browser page. */
export const API_URL = new URL(import.meta.env.VITE_API_URL ?? '/api', location.origin).href;

const LOG_TEXTS: Record<number, string> = {
  403: 'Access denied',
  404: 'Resource not found',
  422: 'Validation error',
  500: 'Server error',
};

function shownValue(value: SentenceValues[string]): string {
  if (typeof value === 'number') return value.toLocaleString(localeTag());
  return typeof value === 'object' ? t(value.text) : value;
}

const SIGN_INS = ['POST /auth/login', 'POST /auth/oidc/exchange'];

/** What the server says, in the language shown: its text is the key of the translation, its values stand in there. */
export function translated(message: string, { text = message, values = {} }: MessageParts): string {
  const own = Object.entries(values).map(([name, value]) => [name, shownValue(value)]);
  return t(text, Object.fromEntries(own));
}

/** What a failed call throws: the server's own words in the language shown, or why there were none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The server's stable word for it; `NETWORK` where no answer came. */
  readonly code: string;
  readonly errors: FieldError[];
  readonly requestId: string | undefined;

  constructor(status: number, failure: Omit<Failure, 'success'>) {
    super(translated(failure.message, failure));
    this.status = status;
    this.code = failure.code;
    this.errors = failure.errors?.map((error) => ({ ...error, msg: translated(error.msg, error) })) ?? [];
    this.requestId = failure.requestId;
  }
}

/** The header that names the session; none where nobody is signed in. */
export function bearerHeader(bearer: string | null): { Authorization?: string } {
  return bearer === null ? {} : { Authorization: `Bearer ${bearer}` };
}

/** The error of a call that got no answer. @param message a sentence fit to show */
export function networkError(message = t('The server cannot be reached.')): ApiError {
  return new ApiError(0, { code: 'NETWORK', message });
}

/**
 * The error of a call that was refused. It is logged, except a 401, which ends the session.
 * @param call method and path, as in `GET /sites/:id`
 * @param bearer the token it was sent with: an answer to an older one says nothing about the one held now
 * @param body what was answered, parsed; anything but a `Failure` came from something other than Parley, such as a proxy
 */
export function refusedError(call: string, bearer: string | null, status: number, body: unknown): ApiError {
  const failure = isFailure(body)
    ? body
    : { code: 'UNKNOWN', message: t('The server sent an answer that could not be read.') };
  const error = new ApiError(status, failure);
  if (status !== 401) logFailure(call, error);
  // A wrong password or code at the log-in says nothing about a session.
  else if (!SIGN_INS.includes(call) && bearer === token.get() && !token.isLeaving()) token.clear();
  return error;
}

/** Leaves a line in the console, as every failed call does. */
export function logFailure(call: string, { status, code }: ApiError): void {
  console.error(LOG_TEXTS[status] ?? 'API error', { call, status, code });
}

/** Whether the server would refuse it again; after anything else a retry may help. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** The sentence that a failure is shown with: the server's own, or `fallback` where it said nothing. */
export function failureText(error: unknown, fallback: string): string {
  const isSilent = error instanceof ApiError && error.code === 'UNKNOWN';
  return error instanceof Error && error.message && !isSilent ? error.message : fallback;
}

function isFailure(body: unknown): body is Failure {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}
