import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import manifest from '../../package.json' with { type: 'json' };
import { isPublicUrl, PrivateAddressError } from '../http/publicAddress.ts';
import { SECOND_MS } from '../time.ts';
import { type DeliveryFailure, WEBHOOK_ANSWER_MAX_LENGTH, WEBHOOK_ANSWER_MAX_S } from './contract.ts';

/** Of a longer answer, the rest is not read. */
const ANSWER_MAX_BYTES = 4_096;
export const TOO_MANY_REQUESTS = 429;

/** What came of one try; `failure` undefined: the receiver has accepted it. */
export interface Attempt {
  failure?: DeliveryFailure;
  answerStatus?: number;
  /** The beginning of an answer that is a failure. */
  answer?: string;
  /** The error code of a request without an answer. */
  reason?: string;
  /** How long the receiver asks to wait. */
  retryAfterS?: number;
}

/** One request. */
export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** How long the receiver has to answer, in milliseconds, where somebody waits for it. */
  answerMaxMs?: number;
}

/** Sends requests to receivers. */
export interface Poster {
  post(asked: Post): Promise<Attempt>;
  /** Aborts the requests in progress. */
  stop(): void;
}

/**
 * Creates the sender of requests to addresses that owners of sites have typed in: it connects to public addresses only,
 * follows no redirects, and neither waits long nor reads much.
 */
export function createPoster(agent: Agent, usualMaxMs = WEBHOOK_ANSWER_MAX_S * 1_000): Poster {
  const stopping = new AbortController();

  function post({ url, headers, body, answerMaxMs = usualMaxMs }: Post): Promise<Attempt> {
    if (!isPublicUrl(url)) return Promise.resolve({ failure: 'private_address' });
    const timeout = AbortSignal.timeout(answerMaxMs);
    const signal = AbortSignal.any([stopping.signal, timeout]);
    return new Promise((resolve) => {
      const fail = (error: unknown) => resolve(timeout.aborted ? { failure: 'timeout' } : failureOf(error));
      const sent = request(url, {
        method: 'POST',
        agent,
        signal,
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
          'User-Agent': `Parley/${manifest.version}`,
        },
      });
      sent.on('response', (answer) => {
        read(answer).then((text) => resolve(attemptOf(answer, text)), fail);
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }

  return {
    post,
    stop() {
      stopping.abort();
      agent.destroy();
    },
  };
}

async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size >= ANSWER_MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES).toString();
}

function attemptOf({ statusCode = 0, headers }: IncomingMessage, text: string): Attempt {
  if (statusCode >= 200 && statusCode < 300) return { answerStatus: statusCode };
  return {
    failure: 'status',
    answerStatus: statusCode,
    answer: [...text.replaceAll('\0', '').toWellFormed().trim()].slice(0, WEBHOOK_ANSWER_MAX_LENGTH).join(''),
    retryAfterS: retryAfterOf(headers['retry-after']) || (statusCode === TOO_MANY_REQUESTS ? saidRetryAfter(text) : 0),
  };
}

/** In seconds, from a number of them or a date. */
function retryAfterOf(header = ''): number {
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / SECOND_MS;
  return Math.max(0, Math.ceil(seconds)) || 0;
}

/** Telegram says it in its answer. */
function saidRetryAfter(text: string): number {
  try {
    return Math.max(0, Math.ceil(JSON.parse(text).parameters.retry_after)) || 0;
  } catch {
    return 0;
  }
}

function failureOf(error: unknown): Attempt {
  if (error instanceof PrivateAddressError) return { failure: 'private_address' };
  const { code = '' } = error as { code?: string };
  return { failure: /CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code) ? 'certificate' : 'connection', reason: code };
}
