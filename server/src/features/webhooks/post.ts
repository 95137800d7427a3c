import * as http from 'node:http';
import * as https from 'node:https';
import { isPublicUrl, PrivateAddressError } from '#platform/http';
import { SECOND_MS } from '#platform/time';
import manifest from '../../../package.json' with { type: 'json' };
import { type DeliveryFailure, WEBHOOK_ANSWER_MAX_LENGTH, WEBHOOK_ANSWER_MAX_S } from './contract.ts';

/** The rest of a longer answer is not read. */
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
  post(request: Post): Promise<Attempt>;
  /** Aborts the requests in progress. */
  stop(): void;
}

/** Which requests are made, and how long they may take. */
interface PosterOptions {
  isAllowed?: (url: string) => boolean;
  usualMaxMs?: number;
}

/**
 * Creates the sender of requests to addresses that owners of sites have typed in: it connects to public addresses, and
 * to those that the operator allows, follows no redirects, and neither waits long nor reads much.
 */
export function createPoster(
  agent: https.Agent,
  { isAllowed = isPublicUrl, usualMaxMs = WEBHOOK_ANSWER_MAX_S * SECOND_MS }: PosterOptions = {},
): Poster {
  const stopping = new AbortController();
  const plainAgent = new http.Agent({ maxTotalSockets: agent.maxTotalSockets });

  function post({ url, headers, body, answerMaxMs = usualMaxMs }: Post): Promise<Attempt> {
    if (!isAllowed(url)) return Promise.resolve({ failure: 'private_address' });
    const timeout = new AbortController();
    const signal = AbortSignal.any([stopping.signal, timeout.signal]);
    const isPlain = url.startsWith('http:');
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (attempt: Attempt) => {
        clearTimeout(timer);
        resolve(attempt);
      };
      const fail = (error: unknown) => end(timeout.signal.aborted ? { failure: 'timeout' } : failureOf(error));
      const sent = (isPlain ? http : https).request(url, {
        method: 'POST',
        agent: isPlain ? plainAgent : agent,
        signal,
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
          'User-Agent': `Parley/${manifest.version}`,
        },
      });
      sent.on('response', (answer) => {
        read(answer).then((text) => end(attemptOf(answer, text)), fail);
      });
      // From the socket on: what waits for one does not use up the receiver's time.
      sent.on('socket', () => {
        timer ??= setTimeout(() => timeout.abort(), answerMaxMs);
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
      plainAgent.destroy();
    },
  };
}

async function read(answer: http.IncomingMessage): Promise<string> {
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

function attemptOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): Attempt {
  if (statusCode >= 200 && statusCode < 300) return { answerStatus: statusCode };
  return {
    failure: 'status',
    answerStatus: statusCode,
    answer: [...text.replaceAll('\0', '').toWellFormed().trim()].slice(0, WEBHOOK_ANSWER_MAX_LENGTH).join(''),
    retryAfterS: retryAfterOf(headers['retry-after']) || (statusCode === TOO_MANY_REQUESTS ? retryAfterIn(text) : 0),
  };
}

/** `Retry-After` in seconds, from its number of seconds or date. */
function retryAfterOf(header = ''): number {
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / SECOND_MS;
  return Math.max(0, Math.ceil(seconds)) || 0;
}

/** Telegram says it in its answer. */
function retryAfterIn(text: string): number {
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
