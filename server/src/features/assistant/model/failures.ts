import { AppError, sentence, type TranslatableText } from '#platform/http';

/** What can go wrong with a model's server. */
export type ModelFailureKind =
  | 'unreachable'
  | 'refused'
  | 'busy'
  | 'failed'
  | 'silent'
  | 'notTheProtocol'
  | 'tooMuch'
  | 'aborted';

/** Why there is no answer. Its text is for the operator, and never holds the key or what the server said of it. */
export class ModelError extends Error {
  readonly kind: ModelFailureKind;
  readonly text: TranslatableText;
  /** How long the server asks to wait, in seconds. */
  readonly retryAfterS: number | undefined;

  constructor(kind: ModelFailureKind, text: TranslatableText, retryAfterS?: number) {
    super(text.text);
    this.kind = kind;
    this.text = text;
    this.retryAfterS = retryAfterS;
  }
}

/** The server could not be reached at all; `code` is that of the connection, such as `ECONNREFUSED`. */
export const unreachable = (host: string, code: string) =>
  new ModelError('unreachable', sentence('{host} cannot be reached ({code}). Check AI_URL.', { host, code }));

/** What took too long, and for how long. */
export const silent = (seconds: number) =>
  new ModelError('silent', sentence('The model said nothing for {seconds} seconds.', { seconds }));

/** A connection that ended in the middle of an answer. */
export const cutOff = () => new ModelError('failed', sentence('The answer of the model ended in the middle.'));

/** More than any answer has. */
export const tooMuch = () => new ModelError('tooMuch', sentence('The model server sends more than an answer has.'));

/** The caller wants the answer no more. */
export const aborted = () => new ModelError('aborted', sentence('The answer was stopped.'));

/** An answer of something else, such as a proxy's page. */
export const notTheProtocol = () =>
  new ModelError(
    'notTheProtocol',
    sentence('AI_URL does not speak the OpenAI chat completions protocol. It usually ends with /v1.'),
  );

/** An answer with a status that is no success. */
export function refusalOf(status: number, retryAfterS: number | undefined): ModelError {
  if (status === 401 || status === 403)
    return new ModelError('refused', sentence('The model server refuses the key. Check AI_KEY.'));
  if (status === 429) return new ModelError('busy', sentence('The model server has too much to do.'), retryAfterS);
  if (status >= 300 && status < 400)
    return new ModelError('notTheProtocol', sentence('AI_URL leads elsewhere. Set the address that it leads to.'));
  if (status === 404)
    return new ModelError('refused', sentence('The model server knows no such address or model. Check AI_MODEL.'));
  if (status >= 400 && status < 500)
    return new ModelError('refused', sentence('The model server refuses the request ({status}).', { status }));
  return new ModelError('failed', sentence('The model server fails ({status}).', { status }), retryAfterS);
}

/** 502, for callers: the model's server did not answer as it should. */
export const modelFailure = ({ kind, text, retryAfterS: retryAfter }: ModelError) =>
  new AppError(502, `MODEL_${kind.toUpperCase()}`, text, retryAfter === undefined ? {} : { retryAfter });
