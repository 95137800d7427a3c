import type { Failure, Success } from 'server/contract';
import { ApiError, logFailure } from './api.ts';
import { token } from './token.ts';

/** A stalled upload is given up; a long one is not. */
const STALL_MS = 30_000;

interface UploadOptions {
  /** Called with the share that is through, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
  /** Milliseconds without progress or answer after which it is given up. */
  stallMs?: number;
}

/**
 * Sends a file as the body of a call. By XMLHttpRequest, since `fetch` does not tell how far it has got.
 * @param path below the API's base, with its query
 * @returns the answer's `data`
 * @throws ApiError for every failure; one's own abort rejects with the signal's reason
 */
export function upload<Data>(
  path: string,
  file: Blob,
  { onProgress, signal, stallMs = STALL_MS }: UploadOptions,
): Promise<Data> {
  const bearer = token.get();
  const request = new XMLHttpRequest();
  return new Promise<Data>((resolve, reject) => {
    const stalled = () => {
      request.abort();
      reject(unheard('Nothing went through for a while.'));
    };
    let timer = setTimeout(stalled, stallMs);
    const settle = (settled: () => void) => {
      clearTimeout(timer);
      settled();
    };
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(timer);
      timer = setTimeout(stalled, stallMs);
      if (total > 0) onProgress(loaded / total);
    };
    request.onload = () =>
      settle(() => {
        const answer = answerOf<Data>(request, bearer);
        if (!(answer instanceof ApiError)) return resolve(answer.data);
        if (answer.status !== 401) logFailure(`POST ${path.split('?')[0]}`, answer);
        reject(answer);
      });
    request.onerror = () => settle(() => reject(unheard('The server cannot be reached.')));
    signal.addEventListener('abort', () => {
      request.abort();
      settle(() => reject(signal.reason));
    });
    request.open('POST', new URL(import.meta.env.VITE_API_URL ?? '/api', location.origin).href + path);
    // Whatever the file is, on the way it is bytes: the server tells its type by itself.
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    if (bearer !== null) request.setRequestHeader('Authorization', `Bearer ${bearer}`);
    request.send(file);
  });
}

function answerOf<Data>({ status, responseText }: XMLHttpRequest, bearer: string | null): Success<Data> | ApiError {
  const body = parse<Success<Data> | Failure>(responseText);
  if (status < 400 && body?.success) return body;
  if (status === 401 && bearer === token.get()) token.clear();
  if (body && !body.success) return new ApiError(status, body);
  return new ApiError(status, { code: 'UNKNOWN', message: 'The server gave an answer that makes no sense.' });
}

function parse<Body>(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? (body as Body | null) : null;
  } catch {
    return null;
  }
}

function unheard(message: string): ApiError {
  return new ApiError(0, { code: 'NETWORK', message });
}
