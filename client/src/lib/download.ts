import { API_URL, bearerHeader, networkError, refusedError } from './http.ts';
import { t } from './i18n.ts';
import { token } from './token.ts';

/** A download is aborted after this time without data, not for its total length. */
const STALL_MS = 30_000;
/** Safari starts to read the file some time after the click, so the object URL must not be revoked at once. */
const KEEP_MS = 40_000;

interface DownloadOptions {
  /** Called with the number of bytes received so far. */
  onProgress: (bytes: number) => void;
  /** Aborts after so many milliseconds without data. */
  stallMs?: number;
}

/**
 * Downloads a file of the API with the session's token, which a plain link cannot send.
 * @param path below the API's base, with its query
 * @throws ApiError, whose message is fit to show, also where the server or the network cuts it off; where it stalls, an Error
 *   with such a message
 */
export async function download(path: string, fileName: string, { onProgress, stallMs = STALL_MS }: DownloadOptions) {
  const stall = new AbortController();
  const stalled = () => stall.abort(new Error(t('The download stalled. Try again.')));
  let timer = setTimeout(stalled, stallMs);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(stalled, stallMs);
  };
  try {
    const response = await open(path, stall.signal);
    const parts: BlobPart[] = [];
    let bytes = 0;
    const reader = response.body?.getReader();
    const read = () =>
      reader?.read().catch((error: unknown) => {
        throw stall.signal.aborted ? error : networkError(t('The download was cut off. Try again.'));
      });
    for (let piece = await read(); piece && !piece.done; piece = await read()) {
      alive();
      parts.push(piece.value);
      bytes += piece.value.byteLength;
      onProgress(bytes);
    }
    keep(new Blob(parts, { type: response.headers.get('content-type') ?? '' }), fileName);
  } finally {
    clearTimeout(timer);
  }
}

async function open(path: string, signal: AbortSignal): Promise<Response> {
  const bearer = token.get();
  const response = await fetch(API_URL + path, { headers: bearerHeader(bearer), signal }).catch((error: unknown) => {
    throw signal.aborted ? error : networkError();
  });
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw refusedError(`GET ${path.split('?')[0]}`, bearer, response.status, body);
}

function keep(file: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}
