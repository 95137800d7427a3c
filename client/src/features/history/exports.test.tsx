import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { download } from '../../lib/download.ts';
import { makeRow, OAK, startHistory } from './testing.ts';

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What the browser was given to keep. */
let kept: { name: string; file: Blob | undefined }[];
let files: Blob[];
let revoked: MockInstance<typeof URL.revokeObjectURL>;

beforeEach(() => {
  kept = [];
  files = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob);
    return 'blob:file';
  });
  revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    kept.push({ name: this.download, file: files.at(-1) });
  });
});

/** Answers the export with a file in two pieces, and everything else as before. Gives what it was asked. */
function answerExports(answer: () => Response | Promise<Response>) {
  const others = globalThis.fetch;
  const asked: URL[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!url.pathname.endsWith('/export')) return others(input, init);
    expect(request.headers.get('authorization')).toBe('Bearer stored-token');
    asked.push(url);
    return answer();
  });
  return asked;
}

const file = () =>
  new Response(
    new ReadableStream({
      start(stream) {
        for (const text of ['first ', 'second']) stream.enqueue(new TextEncoder().encode(text));
        stream.close();
      },
    }),
    { headers: { 'content-type': 'text/plain' } },
  );

function textOf(file: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.readAsText(file);
  });
}

it.each([
  ['Export TXT', 'txt'],
  ['Export PDF', 'pdf'],
])('%s saves the filtered chats', async (link, format) => {
  const { user } = startHistory({ path: `/dashboard/history?siteId=${OAK._id}&endDate=2026-01-09` });
  const asked = answerExports(file);
  await user.click(await screen.findByRole('button', { name: link }));
  expect(await screen.findByText(`chat-history.${format} was saved`)).toBeTruthy();
  expect(asked[0]?.pathname).toBe('/api/chats/export');
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
    format,
    siteId: OAK._id,
    endDate: '2026-01-09',
    tz: timeZone,
  });
  expect(kept.map(({ name }) => name)).toEqual([`chat-history.${format}`]);
  expect(kept[0]?.file && (await textOf(kept[0].file))).toBe('first second');
  // The browser may begin to read it only now.
  expect(revoked).not.toHaveBeenCalled();
});

it('offers both formats from the Export button', async () => {
  const { user } = startHistory();
  const asked = answerExports(file);
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: /PDF/ }));
  await waitFor(() => expect(asked[0]?.searchParams.get('format')).toBe('pdf'));
});

it('shows the progress', async () => {
  const { user } = startHistory();
  let end: (() => void) | undefined;
  answerExports(
    () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new Uint8Array(2_500));
            end = () => stream.close();
          },
        }),
      ),
  );
  await user.click(await screen.findByRole('button', { name: 'Export TXT' }));
  expect(await screen.findByText('Saving chat-history.txt: 2 kB')).toBeTruthy();
  end?.();
  expect(await screen.findByText('chat-history.txt was saved')).toBeTruthy();
});

it('shows why it failed, and retries', async () => {
  const { user } = startHistory();
  const message = 'These are 6,000 chats, and a PDF carries 5,000.';
  const answers = [Response.json({ success: false, message, code: 'EXPORT_TOO_LARGE' }, { status: 422 }), file()];
  answerExports(() => answers.shift() ?? file());
  await user.click(await screen.findByRole('button', { name: 'Export PDF' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(kept).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('chat-history.pdf was saved')).toBeTruthy();
});

it('saves the transcript of one chat from its row', async () => {
  const row = makeRow();
  const { user } = startHistory({ rows: [row] });
  const asked = answerExports(file);
  await user.click(await screen.findByRole('button', { name: 'Download transcript of Mina Park' }));
  expect(await screen.findByText(`chat-${row._id}.txt was saved`)).toBeTruthy();
  expect(asked[0]?.pathname).toBe(`/api/chats/${row._id}/export`);
});

it('keeps nothing of a download that is cut off', async () => {
  let pieces = 1;
  const broken = new ReadableStream({
    pull(stream) {
      if (pieces-- > 0) stream.enqueue(new TextEncoder().encode('first '));
      else stream.error(new TypeError('network error'));
    },
  });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(broken)));
  const cut = download('/chats/export', 'x.txt', { onProgress: () => undefined });
  await expect(cut).rejects.toThrow('The download was cut off. Try again.');
  expect(kept).toEqual([]);
});

it('cancels a stalled download', async () => {
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    const endless = new ReadableStream({
      start: (stream) => signal?.addEventListener('abort', () => stream.error(signal.reason)),
    });
    return Promise.resolve(new Response(endless));
  });
  const stalled = download('/chats/export', 'x.txt', { onProgress: () => undefined, stallMs: 1 });
  await expect(stalled).rejects.toThrow('The download stalled. Try again.');
  expect(kept).toEqual([]);
});

it('logs a refusal to the console', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const { user } = startHistory();
  answerExports(() => Response.json({ success: false, code: 'FORBIDDEN', message: 'Not yours' }, { status: 403 }));
  await user.click(await screen.findByRole('button', { name: 'Export TXT' }));
  expect(await screen.findByText('Not yours')).toBeTruthy();
  const call = 'GET /chats/export';
  expect(logged).toHaveBeenCalledWith('Access denied', { call, status: 403, code: 'FORBIDDEN' });
});
