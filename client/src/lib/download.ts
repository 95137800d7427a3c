import { API_URL, bearerHeader, networkError, refusedError } from './http.ts';
import { token } from './token.ts';

/** A stalled download is given up; a long one is not. */
const STALL_MS = 30_000;
/** Safari begins to read a file some time after the click; revoked before, it is lost. */
const KEEP_MS = 40_000;

interface DownloadOptions {
  /** Called with the bytes that have come so far. */
  onProgress: (bytes: number) => void;
  /** Milliseconds without a byte after which it is given up. */
  stallMs?: number;
}

/**
 * Fetches a file of the API as the signed-in user, whom a plain link would not name, and gives it to the browser to keep.
 * @param path below the API's base, with its query
 * @throws ApiError, whose message is fit to show; where it stalls, an Error with such a message
 */
export async function download(path: string, fileName: string, { onProgress, stallMs = STALL_MS }: DownloadOptions) {
  const stall = new AbortController();
  const stalled = () => stall.abort(new Error('Nothing came for a while. Try again.'));
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
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
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
