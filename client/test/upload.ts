import { vi } from 'vitest';

/** A file as it left the page, and what becomes of it. */
export interface SentFile {
  path: string;
  query: Record<string, string>;
  file: File;
  bearer: string | null;
  progress: (share: number) => void;
  answer: (status: number, body: unknown) => void;
  /** The line breaks. */
  drop: () => void;
  aborted: boolean;
}

/** Stands in for the server where files are sent (`XMLHttpRequest`, which alone tells how far it has got). */
export function fakeUploads(): SentFile[] {
  const sent: SentFile[] = [];
  class Request {
    upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    status = 0;
    responseText = '';
    #url = new URL(location.origin);
    #headers = new Map<string, string>();
    #sent: SentFile | null = null;

    open(_method: string, url: string): void {
      this.#url = new URL(url);
    }
    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value);
    }
    abort(): void {
      if (this.#sent) this.#sent.aborted = true;
    }
    send(file: File): void {
      this.#sent = {
        path: this.#url.pathname,
        query: Object.fromEntries(this.#url.searchParams),
        file,
        bearer: this.#headers.get('Authorization')?.replace('Bearer ', '') ?? null,
        progress: (share) => this.upload.onprogress?.({ loaded: share * 100, total: 100 }),
        answer: (status, body) => {
          this.status = status;
          this.responseText = JSON.stringify(body);
          this.onload?.();
        },
        drop: () => this.onerror?.(),
        aborted: false,
      };
      sent.push(this.#sent);
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  return sent;
}
