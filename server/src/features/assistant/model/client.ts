import { SECOND_MS } from '#platform/time';
import { type ReadAnswer, readAnswer, type TokenUsage } from './answer.ts';
import { aborted, cutOff, ModelError, notTheProtocol, refusalOf, silent, unreachable } from './failures.ts';

/** The usual time that a model has for its first word, and between two of them. */
const FIRST_TOKEN_MS = 20 * SECOND_MS;
/** The usual time for a whole answer. */
const TOTAL_MS = 60 * SECOND_MS;
/** About as many bytes make one token, in all languages: three letters of English, or one of Chinese. */
const BYTES_PER_TOKEN = 3;
/** What a refusal is looked through for. */
const REFUSAL_MAX_BYTES = 4_096;

/** One message of a conversation with a model. */
export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What an operator has set of the model. */
export interface ModelSettings {
  /** The address before `/chat/completions`. */
  url: string;
  /** null: the server asks for none. */
  key: string | null;
  model: string;
}

/** How one answer is asked for. */
export interface ModelAsk {
  maxTokens: number;
  signal?: AbortSignal | undefined;
  /** For the whole answer. */
  totalMs?: number | undefined;
}

/** How an answer is asked for that comes piece by piece. */
export interface ModelStreamAsk extends ModelAsk {
  /** For the first word, and for each one after it: a model that only thinks says nothing. */
  firstTokenMs?: number | undefined;
  onText(piece: string): void;
}

/** What a model has said. */
export interface ModelAnswer {
  text: string;
  usage: TokenUsage;
  ms: number;
}

/** Talks to a server with the OpenAI chat completions protocol. Both throw `ModelError`, and what `onText` throws. */
export interface ModelClient {
  complete(messages: ModelMessage[], ask: ModelAsk): Promise<ModelAnswer>;
  stream(messages: ModelMessage[], ask: ModelStreamAsk): Promise<ModelAnswer>;
}

interface ClientOptions extends ModelSettings {
  fetch?: typeof fetch;
  now?: () => number;
}

/** Estimates how many tokens a text has. */
export const estimateTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** Makes a client of one model. */
export function createModelClient({
  url,
  key,
  model,
  fetch: send = fetch,
  now = Date.now,
}: ClientOptions): ModelClient {
  const address = `${url.replace(/\/$/, '')}/chat/completions`;
  /** What the server was found to refuse of the protocol: newer models have another name for the first, some lack the second. */
  const quirks = { renamesMaxTokens: false, lacksStreamOptions: false };

  const bodyOf = (messages: ModelMessage[], maxTokens: number, isStream: boolean) => ({
    model,
    messages,
    [quirks.renamesMaxTokens ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    stream: isStream,
    ...(isStream && !quirks.lacksStreamOptions && { stream_options: { include_usage: true } }),
  });

  async function post(body: object, signal: AbortSignal): Promise<Response> {
    return send(address, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(key !== null && { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    });
  }

  /** Whether the server refuses a part of the protocol that can be said in another way. */
  function learns(status: number, refusal: string): boolean {
    if (status !== 400 && status !== 422) return false;
    if (!quirks.renamesMaxTokens && refusal.includes('max_tokens')) {
      quirks.renamesMaxTokens = true;
      return true;
    }
    if (!quirks.lacksStreamOptions && refusal.includes('stream_options')) {
      quirks.lacksStreamOptions = true;
      return true;
    }
    return false;
  }

  async function accepted(messages: ModelMessage[], maxTokens: number, isStream: boolean, signal: AbortSignal) {
    for (;;) {
      const response = await post(bodyOf(messages, maxTokens, isStream), signal);
      if (response.ok) return response;
      const refusal = await beginningOf(response);
      if (!learns(response.status, refusal))
        throw refusalOf(response.status, retryAfterOf(response.headers.get('retry-after'), now()));
    }
  }

  async function ask(
    messages: ModelMessage[],
    { maxTokens, signal, totalMs = TOTAL_MS, firstTokenMs, onText }: ModelAsk & Partial<ModelStreamAsk>,
  ): Promise<ModelAnswer> {
    const isStream = onText !== undefined;
    const startedAt = now();
    const patience = createPatience(totalMs, isStream ? (firstTokenMs ?? FIRST_TOKEN_MS) : totalMs);
    const both = AbortSignal.any([patience.signal, ...(signal ? [signal] : [])]);
    try {
      const response = await accepted(messages, maxTokens, isStream, both);
      if (!response.body) throw notTheProtocol();
      const said = await readAnswer(response.body, response.headers.get('content-type') ?? '', (piece) => {
        patience.renew();
        onText?.(piece);
      });
      return { text: said.text, usage: usageOf(said, messages), ms: now() - startedAt };
    } catch (error) {
      throw failureOf(error, { signal, waitedMs: patience.exceededMs(), host: new URL(address).host });
    } finally {
      patience.end();
    }
  }

  return { complete: ask, stream: ask };
}

/** Ends what takes longer than all in all, or than between two words. */
function createPatience(totalMs: number, silenceMs: number) {
  const ended = new AbortController();
  let exceeded = 0;
  const after = (ms: number) =>
    setTimeout(() => {
      exceeded ||= ms;
      ended.abort();
    }, ms);
  const total = after(totalMs);
  let silence = after(silenceMs);
  return {
    signal: ended.signal,
    /** The time that was too long; 0: none was. */
    exceededMs: () => exceeded,
    renew() {
      clearTimeout(silence);
      silence = after(silenceMs);
    },
    end() {
      clearTimeout(total);
      clearTimeout(silence);
    },
  };
}

interface FailureContext {
  signal: AbortSignal | undefined;
  waitedMs: number;
  host: string;
}

function failureOf(error: unknown, { signal, waitedMs, host }: FailureContext): ModelError {
  if (signal?.aborted) return aborted();
  if (waitedMs > 0) return silent(Math.ceil(waitedMs / SECOND_MS));
  if (error instanceof ModelError) return error;
  const { message, cause } = error as { message?: string; cause?: { code?: unknown } };
  if (message === 'terminated') return cutOff();
  // What else is thrown is of the caller's `onText`.
  if (message !== 'fetch failed') throw error;
  return unreachable(host, typeof cause?.code === 'string' ? cause.code : 'UNKNOWN');
}

/** The beginning of a refusal, of which no more is read. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    // Leaving the loop ends the connection.
    if (text.length > REFUSAL_MAX_BYTES) break;
  }
  return text;
}

/** `Retry-After` in seconds, from its number of seconds or date. */
function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - now) / SECOND_MS;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function usageOf({ text, usage }: ReadAnswer, messages: ModelMessage[]): TokenUsage {
  if (usage) return { ...usage, isEstimated: false };
  const prompt = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return { prompt, completion: estimateTokens(text), isEstimated: true };
}
