import { act, screen } from '@testing-library/react';
import { type ComponentType, createElement } from 'react';
import {
  type AssistantState,
  type Chat,
  MESSAGE_PAGE,
  type Note,
  type Receipts,
  type StaffMessage,
  type VisitorDetails,
} from 'server/contract';
import { type Asked, fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeChat, makeSite, makeUser } from '../../../test/make.ts';
import { useAuth } from '../../lib/auth.tsx';
import ConsolePage from '../inbox/console/ConsolePage.tsx';
import InboxPage from '../inbox/InboxPage.tsx';
// Lazy modules: imported here, so that no test waits for them.
import '../inbox/filters/FilterSheet.tsx';
import '../inbox/filters/ViewDialogs.tsx';
import '../selection/BulkDialogs.tsx';
import './thread/OpenChat.tsx';
import './composer/EmojiPanel.tsx';
import '../replies/ManageReplies.tsx';
import { useCountChanges } from './live/countChanges.ts';
import { useLive } from './live/live.ts';

const START = Date.parse('2026-01-05T09:00:00.000Z');
const MINUTE_MS = 60_000;

/** A message as staff get it; by default a visitor's, one minute after the one before. */
export function makeMessage(parts: Partial<StaffMessage> & { seq: number }): StaffMessage {
  const content = parts.content ?? `Message ${parts.seq}`;
  return {
    _id: id(),
    chatId: 'chat',
    clientId: `client-${parts.seq}`,
    sender: 'visitor',
    senderName: 'Mina Park',
    senderAvatar: null,
    file: null,
    senderId: null,
    type: 'text',
    event: null,
    timestamp: new Date(START + parts.seq * MINUTE_MS).toISOString(),
    ...parts,
    content,
    text: content,
  };
}

/** A note as staff get it; by default a colleague's. */
export function makeNote(parts: Partial<Note> = {}): Note {
  return {
    _id: id(),
    chatId: 'chat',
    clientId: id(),
    content: 'Wants a refund',
    event: null,
    author: { _id: id(), name: 'Ben Okafor' },
    createdAt: new Date(START).toISOString(),
    ...parts,
  };
}

export const NOTHING_READ: Receipts = { visitor: { delivered: 0, read: 0 }, staff: { delivered: 0, read: 0 } };

/** The facts of a visitor of whom only name and email are known. */
export const NOTHING_KNOWN: VisitorDetails = { page: null, pages: [], userId: null, verified: false, attributes: [] };

/** The user who is logged in. */
export const ANA = makeUser({ name: 'Ana Lind' });
export const OAK = makeSite({ name: 'Oak and Line' });

const SUGGESTING: AssistantState = {
  step: 'suggest',
  when: 'always',
  name: '',
  categories: [],
  languages: [],
  tokensPerDay: 0,
  rev: 1,
  model: null,
  today: { tokens: 0, limit: null, isServerSpent: false },
};

/** What the dashboard's frame and guard do around a page. */
const framed = (Page: ComponentType) => () => {
  useLive();
  useCountChanges();
  return useAuth().user && createElement(Page);
};

const ROUTES = [
  { path: '/dashboard/inbox', Component: framed(InboxPage) },
  { path: '/dashboard/sites/:siteId/chats', Component: framed(ConsolePage) },
];

interface World {
  chats?: Chat[];
  sites?: (typeof OAK)[];
  messages?: StaffMessage[];
  /** The page before the newest one. */
  older?: StaffMessage[];
  notes?: Note[];
  /** The page of notes before the newest one. */
  olderNotes?: Note[];
  path?: string;
  connected?: boolean;
  /** Whether the server has a language model. */
  hasModel?: boolean;
  /** The heading of the screen at that path. */
  heading?: string;
}

/** Starts an inbox with these chats, each of which has the same messages and notes. */
export async function startInbox(world: World = {}) {
  const {
    chats = [],
    sites = [OAK],
    messages = [],
    older = [],
    notes = [],
    olderNotes = [],
    path = '/dashboard/inbox',
    connected = true,
    hasModel = false,
    heading = 'Chat Inbox',
  } = world;
  const api = fakeApi();
  api.on('GET /sites', { sites, limit: 3 });
  api.on('GET /sites/:id', ({ params }) => {
    const site = sites.find(({ _id }) => _id === params.id);
    return site ? { site } : new Refusal(404, { code: 'NOT_FOUND', message: 'Not found' });
  });
  const list = ({ query }: Asked) => ({
    chats: chats.filter(({ status }) => query.status === 'all' || query.status === status),
    nextCursor: null,
  });
  api.on('GET /chats', list);
  api.on('GET /chats/site/:siteId', list);
  api.on('GET /chats/:id', ({ params }) => {
    const chat = chats.find(({ _id }) => _id === params.id);
    return chat ? { chat } : new Refusal(404, { code: 'NOT_FOUND', message: 'Not found' });
  });
  api.on('GET /sites/:id/assistant', { assistant: SUGGESTING, hasModel });
  api.on('GET /inbox/views', { views: [] });
  api.on('GET /inbox/counts', { counts: { waiting: 0, active: 0, snoozed: 0, assistant: 0, unread: 0 } });
  api.on('GET /inbox/tags', { tags: [] });
  api.on('GET /team/members', { members: [] });
  api.on('GET /visitors/:id/chats', ({ params }) => ({
    chats: chats.filter(({ visitorId }) => visitorId === params.id),
    nextCursor: null,
  }));
  const all = [...older, ...messages];
  api.on('GET /chats/:id/messages', ({ query: { before, after, limit = MESSAGE_PAGE } }) => {
    if (before === undefined && after === undefined) return { messages, more: older.length > 0 };
    const wanted = all.filter(
      ({ seq }) => seq > Number(after ?? 0) && seq < Number(before ?? Number.POSITIVE_INFINITY),
    );
    const page = after === undefined ? wanted.slice(-limit) : wanted.slice(0, Number(limit));
    return { messages: page, more: page.length < wanted.length };
  });
  api.on('GET /chats/:id/notes', ({ query }) => ({ notes: query.before ? olderNotes : notes, more: false }));
  const started = startApp(ROUTES, path, { api, signedInAs: ANA });
  const { socket } = started;
  const visitor = { _id: chats[0]?.visitorId ?? '', online: true, ...NOTHING_KNOWN };
  socket.answer('open_chat', ({ afterSeq }) => ({
    ok: true,
    messages: messages.filter(({ seq }) => seq > (afterSeq ?? 0)),
    more: older.length > 0 && afterSeq === undefined,
    visitor,
    receipts: NOTHING_READ,
    notes,
  }));
  socket.answer('sync', () => ({ ok: true, cursor: 'c', reset: false, changed: [], removed: [], chats: [] }));
  socket.answer('read', () => ({ ok: true }));
  await screen.findByRole('heading', { name: heading });
  if (connected) act(() => socket.connect());
  return started;
}

/** The inbox with one chat open and its thread on the screen. */
export async function openChat({ chat = oakChat(), ...world }: { chat?: Chat } & World = {}) {
  const messages = world.messages ?? [makeMessage({ seq: 1, chatId: chat._id, content: 'Hello there' })];
  const started = await startInbox({ chats: [chat], path: `/dashboard/inbox?chat=${chat._id}`, ...world, messages });
  await screen.findByRole('region', { name: /^Conversation with/ });
  return {
    ...started,
    chat,
    field: screen.queryByRole('textbox', { name: /^(Message|Note)$/ }) as HTMLTextAreaElement,
  };
}

/** A chat of Oak and Line. */
export const oakChat = (parts: Partial<Chat> = {}) => makeChat({ site: { _id: OAK._id, name: OAK.name }, ...parts });
/** The list's row of a visitor. */
export const rowOf = async (name: string | RegExp) =>
  (await screen.findByRole('link', { name })).closest('li') ?? document.body;
