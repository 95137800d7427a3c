import { act, renderHook, screen, waitFor } from '@testing-library/react';
import { ACK_TIMEOUT_MS, TOKEN_KEY } from 'server/contract';
import { expect, it, vi } from 'vitest';
import { startApp } from '../../test/app.tsx';
import { makeUser } from '../../test/make.ts';
import { useAuth } from './auth.tsx';
import { SocketError, useSocket } from './socket.tsx';

type Face = ReturnType<typeof useSocket>;

function Probe({ onFace }: { onFace: (face: Face) => void }) {
  const face = useSocket();
  onFace(face);
  return <p>{face.connected ? 'connected' : 'not connected'}</p>;
}

function start() {
  const seen: { face: Face | null } = { face: null };
  const element = <Probe onFace={(face) => Object.assign(seen, { face })} />;
  const started = startApp([{ path: '/', element }], '/', { signedInAs: makeUser() });
  const face = () => {
    if (!seen.face) throw new Error('The probe is not there yet');
    return seen.face;
  };
  return { ...started, face };
}

it('exists only while somebody is signed in', async () => {
  const { face, socket } = start();
  expect(face().socket).toBeNull();
  await waitFor(() => expect(face().socket).not.toBeNull());
  socket.connect();
  expect(await screen.findByText('connected')).toBeTruthy();
  socket.tell('session_ended', { reason: 'signed_out' });
  await waitFor(() => expect(face().socket).toBeNull());
  expect(screen.getByText('not connected')).toBeTruthy();
});

it('resolves a request with its acknowledgement', async () => {
  const { face, socket } = start();
  await waitFor(() => expect(face().socket).not.toBeNull());
  socket.connect();
  socket.answer('set_availability', ({ online }) => ({ ok: true, online }));
  await expect(face().request('set_availability', { online: true })).resolves.toMatchObject({ online: true });
});

it('rejects a refused request with the reason and whether to retry', async () => {
  const { face, socket } = start();
  await waitFor(() => expect(face().socket).not.toBeNull());
  socket.connect();
  socket.answer('leave_chat', () => ({ ok: false, code: 'NOT_FOUND', message: 'No such chat', retryable: false }));
  const failure = await face()
    .request('leave_chat', { chatId: 'c' })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SocketError);
  expect(failure).toMatchObject({ code: 'NOT_FOUND', message: 'No such chat', retryable: false });
});

it('reconnects when a sync is not answered', async () => {
  const { face, socket } = start();
  await waitFor(() => expect(face().socket).not.toBeNull());
  act(() => socket.connect());
  vi.useFakeTimers();
  const failures = [face().request('leave_chat', { chatId: 'c' }), face().request('sync', { chats: [] })].map((asked) =>
    asked.catch((error: unknown) => error),
  );
  await act(() => vi.advanceTimersByTimeAsync(ACK_TIMEOUT_MS));
  vi.useRealTimers();
  expect(await Promise.all(failures)).toMatchObject([{ code: 'TIMEOUT' }, { code: 'TIMEOUT' }]);
  expect(await screen.findByText('not connected')).toBeTruthy();
});

it('rejects the requests of a dropped connection, and not those of the next one', async () => {
  const { face, socket } = start();
  await waitFor(() => expect(face().socket).not.toBeNull());
  act(() => socket.connect());
  vi.useFakeTimers();
  const failure = face()
    .request('sync', { chats: [] })
    .catch((error: unknown) => error);
  act(() => socket.drop());
  expect(await failure).toMatchObject({ code: 'OFFLINE', retryable: true });
  act(() => socket.connect());
  await act(() => vi.advanceTimersByTimeAsync(2 * ACK_TIMEOUT_MS));
  vi.useRealTimers();
  expect(screen.getByText('connected')).toBeTruthy();
});

it('does not end another session that the browser has meanwhile', async () => {
  const { face, socket } = start();
  await waitFor(() => expect(face().socket).not.toBeNull());
  act(() => socket.connect());
  localStorage.setItem(TOKEN_KEY, 'of somebody else');
  act(() => socket.tell('session_ended', { reason: 'signed_out' }));
  expect(localStorage.getItem(TOKEN_KEY)).toBe('of somebody else');
});

it('rejects at once without a connection, and warns about a dropped event', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { face } = start();
  await expect(face().request('leave_chat', { chatId: 'c' })).rejects.toMatchObject({ retryable: true });
  face().emit('leave_chat', { chatId: 'c' });
  expect(warned).toHaveBeenCalledWith('Socket not connected');
});

it.each<[string, () => unknown]>([
  ['useSocket', useSocket],
  ['useAuth', useAuth],
])('%s outside its provider throws an error', (name, use) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => renderHook(() => use())).toThrow(new RegExp(`^${name} must be used within`));
});
