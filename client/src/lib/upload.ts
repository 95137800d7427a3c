import { API_URL, bearerHeader, networkError, refusedError } from './http.ts';
import { t } from './i18n.ts';
import { readJson } from './json.ts';
import { token } from './token.ts';

/** An upload is aborted after this time without progress, not for its total length. */
const STALL_MS = 30_000;

interface UploadOptions {
  /** Called with the fraction sent, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
  /** Aborts after so many milliseconds without progress or answer. */
  stallMs?: number;
}

/**
 * Sends a file as the body of a call. With XMLHttpRequest, since `fetch` reports no upload progress.
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
      reject(networkError(t('The upload stalled.')));
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
        const body = readJson(request.responseText);
        if (request.status < 400 && body.success === true) resolve(body.data as Data);
        else reject(refusedError(`POST ${path.split('?')[0]}`, bearer, request.status, body));
      });
    request.onerror = () => settle(() => reject(networkError()));
    signal.addEventListener('abort', () => {
      request.abort();
      settle(() => reject(signal.reason));
    });
    request.open('POST', API_URL + path);
    // The server detects the file's type itself.
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    for (const [name, value] of Object.entries(bearerHeader(bearer))) request.setRequestHeader(name, value);
    request.send(file);
  });
}
