import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeUploads } from '../../test/upload.ts';
import { token } from './token.ts';
import { upload } from './upload.ts';

const STALL_MS = 1_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start() {
  const sent = fakeUploads();
  const stop = new AbortController();
  const shares: number[] = [];
  const answer = upload('/chats/c/files?name=a.pdf', new Blob(['x']), {
    onProgress: (share) => shares.push(share),
    signal: stop.signal,
    stallMs: STALL_MS,
  });
  const [request] = sent;
  if (!request) throw new Error('Nothing was sent');
  return { request, stop, shares, outcome: answer.catch((error: unknown) => error) };
}

it('cancels a stalled upload, and never a slow one', async () => {
  const { request, shares, outcome } = start();
  for (const share of [0.25, 0.5, 0.75]) {
    await vi.advanceTimersByTimeAsync(STALL_MS - 1);
    request.progress(share);
  }
  expect(request.aborted).toBe(false);
  expect(shares).toEqual([0.25, 0.5, 0.75]);
  await vi.advanceTimersByTimeAsync(STALL_MS);
  expect(request.aborted).toBe(true);
  expect(await outcome).toMatchObject({ code: 'NETWORK', message: 'The upload stalled.' });
});

it('stops when it is aborted', async () => {
  const { request, stop, outcome } = start();
  stop.abort(new Error('Taken back'));
  expect(request.aborted).toBe(true);
  expect(await outcome).toMatchObject({ message: 'Taken back' });
});

it("ends the session on a 401, and passes the server's message on", async () => {
  token.set('old');
  const { request, outcome } = start();
  request.answer(401, { success: false, code: 'UNAUTHORIZED', message: 'Log in again.' });
  expect(await outcome).toMatchObject({ status: 401, message: 'Log in again.' });
  expect(token.get()).toBeNull();
});

it('rejects an answer that is not from the server', async () => {
  const { request, outcome } = start();
  request.answer(502, '<html>');
  expect(await outcome).toMatchObject({ status: 502, code: 'UNKNOWN' });
});

it('logs a refusal to the console', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const { request, outcome } = start();
  request.answer(403, { success: false, code: 'FORBIDDEN', message: 'Not yours' });
  expect(await outcome).toMatchObject({ status: 403 });
  const call = 'POST /chats/c/files';
  expect(logged).toHaveBeenCalledWith('Access denied', { call, status: 403, code: 'FORBIDDEN' });
});
