import { act, screen, waitFor } from '@testing-library/react';
import type { Chat } from 'server/contract';
import { expect, it, vi } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { id, makeSite } from '../../../../test/make.ts';
import { ANA, OAK, oakChat, openChat } from '../testing.ts';
// A lazy module: imported here, so that no test waits for it.
import './DeepLink.tsx';

const REPLY = {
  _id: id(),
  siteId: OAK._id,
  shortcut: 'moment',
  content: 'Hi {{visitor.name}}, one moment.',
  personal: true,
  files: [],
};
const BEN = { _id: id(), name: 'Ben Okafor' };
type Opened = Parameters<typeof openChat>[0] & { claim?: Answer };
type Answer = Refusal | { chat: Chat };

/** Opens the page that a link of a notification or a mail names, ahead as browsers do, and then looks at it. */
async function land(search: string, { chat = oakChat(), claim, ...world }: Opened = {}) {
  const look = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const path = `/dashboard/inbox?status=all&chat=${chat._id}&${search}`;
  const opened = await openChat({ chat, ...world, path });
  const { api } = opened;
  api.on('GET /canned-replies', { replies: [REPLY], nextCursor: null });
  const claimedBy = { _id: ANA._id, name: ANA.name };
  api.on('POST /chats/:id/claim', claim ?? { chat: { ...chat, status: 'active', claimedBy } });
  expect(opened.path()).toBe(path);
  look.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  return { ...opened, field: () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }) };
}

it('do=write opens the chat ready to write, and goes from the address', async () => {
  const { api, path, chat, field } = await land('do=write');
  await waitFor(() => expect(document.activeElement).toBe(field()));
  expect(path()).toBe(`/dashboard/inbox?status=all&chat=${chat._id}`);
  expect(api.asked('POST /chats/:id/claim')).toEqual([]);
});

it('do=claim claims the chat once', async () => {
  const { api, path, field } = await land('do=claim');
  await waitFor(() => expect(api.asked('POST /chats/:id/claim')).toHaveLength(1));
  expect(document.activeElement).toBe(field());
  expect(path()).not.toContain('do=');
});

it('do=claim says who has the chat already', async () => {
  const { api } = await land('do=claim', { chat: oakChat({ status: 'active', claimedBy: BEN }) });
  expect(await screen.findByText('Already claimed by Ben Okafor')).toBeTruthy();
  expect(api.asked('POST /chats/:id/claim')).toEqual([]);
});

it('do=claim turns an assignment into a claim', async () => {
  const claimedBy = { _id: ANA._id, name: ANA.name };
  const assignedAt = new Date().toISOString();
  const { api } = await land('do=claim', { chat: oakChat({ status: 'active', claimedBy, assignedAt }) });
  await waitFor(() => expect(api.asked('POST /chats/:id/claim')).toHaveLength(1));
});

it('reply puts the canned reply into the field after what is there, and sends nothing', async () => {
  const chat = oakChat();
  localStorage.setItem(`parley_draft:${ANA._id}:${chat._id}`, 'Good morning.');
  const { socket, path, field } = await land(`reply=${REPLY._id}`, { chat });
  await waitFor(() => expect(field().value).toBe('Good morning.\nHi Mina Park, one moment.'));
  expect(document.activeElement).toBe(field());
  expect(path()).not.toContain('reply=');
  expect(socket.sent('send_message')).toEqual([]);
});

it('reply never goes into a note', async () => {
  const chat = oakChat();
  localStorage.setItem(`parley_draft:${ANA._id}:${chat._id}:note`, 'Wants a refund');
  const { field } = await land(`reply=${REPLY._id}`, { chat });
  await waitFor(() => expect(field().value).toBe('Hi Mina Park, one moment.'));
});

it('nothing goes into the note of a closed chat', async () => {
  const { path } = await land(`reply=${REPLY._id}`, { chat: oakChat({ status: 'closed' }) });
  await waitFor(() => expect(path()).not.toContain('reply='));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('');
});

it('says when the canned reply is gone', async () => {
  const { field } = await land(`reply=${id()}`);
  expect(await screen.findByText('This canned reply does not exist.')).toBeTruthy();
  expect(field().value).toBe('');
});

it('shows the refusal where a colleague was faster', async () => {
  const message = 'This chat was already claimed by Ben Okafor.';
  await land('do=claim', { claim: new Refusal(409, { code: 'CHAT_ALREADY_CLAIMED', message }) });
  expect(await screen.findByText(message)).toBeTruthy();
});

it('leaves a viewer, who cannot answer, alone', async () => {
  const site = { ...makeSite({ role: 'viewer', isOwner: false }), _id: OAK._id };
  const { api } = await land('do=claim', { sites: [site] });
  expect(api.asked('POST /chats/:id/claim')).toEqual([]);
});
