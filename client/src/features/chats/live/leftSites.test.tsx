import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../../test/api.ts';
import { startApp } from '../../../../test/app.tsx';
import { useAuth } from '../../../lib/auth.tsx';
import InboxPage from '../../inbox/InboxPage.tsx';
import { useTeamLive } from '../../team/live.ts';
// A lazy module: imported here, so that the test does not wait for it.
import '../thread/OpenChat.tsx';
import { ANA, makeMessage, makeNote, OAK, oakChat } from '../testing.ts';
import { useLeftSites } from './leftSites.ts';
import { useLive } from './live.ts';

/** As the frame of the real routes does. */
function Framed() {
  useLive();
  useTeamLive();
  useLeftSites();
  return useAuth().user && <InboxPage />;
}

it('closes the open chat of a member who was removed, and says why', async () => {
  const chat = oakChat();
  const api = fakeApi();
  api.on('GET /sites', { sites: [OAK], limit: 3 });
  api.on('GET /chats', { chats: [chat], nextCursor: null });
  api.on('GET /chats/:id', { chat });
  api.on('GET /chats/:id/messages', { messages: [makeMessage({ seq: 1, content: 'My number is 7' })], more: false });
  api.on('GET /chats/:id/notes', { notes: [makeNote({ content: 'A difficult one' })], more: false });
  api.on('GET /visitors/:id/chats', { chats: [chat], nextCursor: null });
  const routes = [{ path: '/dashboard/inbox', Component: Framed }];
  const { socket } = startApp(routes, `/dashboard/inbox?chat=${chat._id}`, { api, signedInAs: ANA });
  expect(await screen.findByText('A difficult one')).toBeTruthy();

  const gone = new Refusal(404, { code: 'NOT_FOUND', message: 'This chat does not exist.' });
  api.on('GET /sites', { sites: [], limit: 3 });
  api.on('GET /chats', { chats: [], nextCursor: null });
  for (const call of ['GET /chats/:id', 'GET /chats/:id/messages', 'GET /chats/:id/notes'] as const) api.on(call, gone);
  act(() => socket.tell('team_updated', { siteId: OAK._id }));
  expect(await screen.findByText(/you are not on the team of its website/)).toBeTruthy();
  await waitFor(() => {
    for (const text of ['A difficult one', 'My number is 7']) expect(screen.queryByText(text)).toBeNull();
  });
});
