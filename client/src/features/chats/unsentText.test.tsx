import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Chat } from 'server/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { showTexts } from '../../lib/i18n.ts';
import german from '../../locales/de.json';
import { ANA, makeMessage, oakChat, openChat } from './testing.ts';

// What is typed and not sent, while the world changes: its text, its focus, its readers, and how often it is sent.

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(() => {
  showTexts('en', {});
});

const chat = oakChat({ status: 'active', claimedBy: { _id: ANA._id, name: ANA.name } });
const mine = { chatId: chat._id, sender: 'agent', senderId: ANA._id } as const;
const BEN = { _id: 'b'.repeat(24), name: 'Ben Okafor' };
const answered = makeMessage({ seq: 1, ...mine, content: '', timestamp: new Date().toISOString() });

type Page = Awaited<ReturnType<typeof open>>;

/** The calls with which texts leave the page; of sockets, `send_message`. */
const CALLS = [
  'POST /chats/:id/messages',
  'POST /chats/:id/notes',
  'PATCH /chats/:id/messages/:messageId',
  'PUT /visitors/:id/note',
  'PATCH /visitors/:id',
] as const;

const open = async () => {
  const page = await openChat({ chat, messages: [answered] });
  // Whatever is sent ends at once: the outbox of the next page is the same.
  const refusal = { code: 'CHAT_CLOSED', message: 'Not in this test.' };
  page.socket.answer('send_message', () => ({ ok: false, retryable: false, ...refusal }));
  for (const name of CALLS) page.api.on(name, new Refusal(409, refusal));
  return page;
};
const press = (name: RegExp, among = document.body) =>
  fireEvent.click(within(among).getByRole('button', { name, hidden: true }));
const field = (name: RegExp) => screen.findByRole<HTMLTextAreaElement>('textbox', { name, hidden: true });
const SAVE = /^(Save|Save mine instead|Speichern)$/;

interface Field {
  /** In both languages. */
  name: RegExp;
  begin: () => unknown;
  /** Sends what is in the field, by the keyboard unless the field has a button for it. */
  send?: (typed: HTMLElement) => void;
  /** Whom the text reaches. */
  reaches: 'visitor' | 'team';
  /** The window is drawn anew without the field: it has to be opened again. */
  isClosedByRedraw?: boolean;
}

const FIELDS: Record<string, Field> = {
  reply: { name: /^(Message|Nachricht)$/, begin: () => {}, reaches: 'visitor' },
  note: { name: /^(Note|Notiz)$/, begin: () => press(/^Note$/), reaches: 'team' },
  correction: {
    name: /^(Edit message|Nachricht bearbeiten)$/,
    begin: async () => fireEvent.click(await screen.findByRole('button', { name: 'Edit message' })),
    reaches: 'visitor',
  },
  'note on a person': {
    name: /^(Note on this person|Notiz zu dieser Person)$/,
    begin: async () => fireEvent.click(await screen.findByRole('button', { name: 'Add a note' })),
    send: (typed) => press(SAVE, typed.closest('form') ?? undefined),
    reaches: 'team',
  },
  'contact details': {
    name: /^(Phone|Telefon)$/,
    begin: async () =>
      fireEvent.click(await screen.findByRole('button', { name: /^(Edit contact details|Kontaktdaten bearbeiten)$/ })),
    send: (typed) => press(SAVE, typed.closest('form') ?? undefined),
    reaches: 'team',
    isClosedByRedraw: true,
  },
};

let rev = 1;
const tell = ({ socket }: Page, changed: Partial<Chat>) =>
  act(() => socket.tell('chat_updated', { chat: { ...chat, rev: ++rev, ...changed } }));
/** What another tab of the browser does with the drafts. */
const inOtherTab = (change: (text: string) => string | null) =>
  act(() => {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith('parley_draft:'))) {
      const text = change(localStorage.getItem(key) ?? '');
      if (text === null) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
      dispatchEvent(new StorageEvent('storage', { key }));
    }
  });
/** The texts that left the page, each once however often it was tried, and to whom. */
const sentBy = ({ socket, api }: Page) => {
  const [messages, notes, corrections, ofPeople, contacts] = CALLS.map((name) =>
    api.asked(name).map(({ body }) => body as { content?: string; phone?: string; clientId?: string }),
  );
  const texts = (...bodies: (typeof messages)[]) => {
    const all = bodies.flatMap((each = []) => each);
    return [...new Map(all.map((body, at) => [body.clientId ?? at, body.content ?? body.phone])).values()];
  };
  const overSocket = socket.sent('send_message') as typeof messages;
  return { visitor: texts(overSocket, messages, corrections), team: texts(notes, ofPeople, contacts) };
};

interface Event {
  /** @returns the page, where it is another one */
  happens: (page: Page, field: Field) => unknown;
  /** The field is another one, and the focus has gone with the one before. */
  isRedrawn?: boolean;
  /** What is in the field then. */
  text?: string;
  /** A reply cannot be sent then. */
  isLocked?: boolean;
  /** Happens after the text was sent. */
  afterwards?: (page: Page) => unknown;
}

const HALF = 'Half a tho';
const WHOLE = `${HALF}ught`;
const reload = () => {
  cleanup();
  return open();
};

const EVENTS: Record<string, Event> = {
  closed: { happens: (page) => tell(page, { status: 'closed' }), isLocked: true },
  reopened: {
    happens: (page) => {
      tell(page, { status: 'closed' });
      tell(page, { status: 'active', claimedBy: BEN });
    },
  },
  transferred: { happens: (page) => tell(page, { claimedBy: BEN }) },
  'handed back, and claimed by another': {
    happens: (page) => {
      tell(page, { status: 'waiting', claimedBy: null });
      tell(page, { status: 'active', claimedBy: BEN });
    },
  },
  'closed by its writer, which is refused with 503': {
    happens: async ({ api }) => {
      let refuse = () => {};
      api.on('POST /chats/:id/close', async () => {
        await new Promise<void>((resolve) => (refuse = resolve));
        return new Refusal(503, { code: 'UNAVAILABLE', message: 'Try again later.' });
      });
      press(/^Close$/);
      await screen.findByText(/^This chat is closed/);
      refuse();
      await waitFor(() => expect(screen.queryByText(/^This chat is closed/)).toBeNull());
    },
  },
  'sent while the server is busy': {
    happens: ({ api, socket }) => {
      const busy = { code: 'UNAVAILABLE', message: 'Try again later.' };
      socket.answer('send_message', () => ({ ok: false, retryable: true, ...busy }));
      for (const name of CALLS) api.on(name, new Refusal(503, busy));
    },
  },
  offline: {
    happens: ({ socket, api }) => {
      act(() => socket.drop());
      const unreachable = () => {
        throw new TypeError('Failed to fetch');
      };
      for (const name of CALLS) api.on(name, unreachable);
    },
    // What waits in the outbox is sent once.
    afterwards: ({ socket }) => act(() => socket.connect()),
  },
  'sent or saved in another tab': { happens: () => inOtherTab(() => null), text: '' },
  'written in another tab': {
    happens: () => inOtherTab((text) => text.replace(HALF, 'Half a thou')),
    text: 'Half a thou',
  },
  'another language': { happens: () => act(() => showTexts('de', german)), isRedrawn: true },
  'reload, after a release that noted no times': {
    happens: () => {
      localStorage.removeItem('parley_draft_times');
      return reload();
    },
    isRedrawn: true,
  },
};

describe.each(Object.entries(EVENTS))('%s:', (_, event) => {
  const { happens, isRedrawn = false, text = HALF, isLocked = false, afterwards } = event;
  it.each(Object.entries(FIELDS))('what is typed as %s keeps text, focus and readers', async (kind, own) => {
    let page = await open();
    await own.begin();
    const typed = await field(own.name);
    act(() => typed.focus());
    await page.user.keyboard(HALF);
    page = ((await happens(page, own)) as Page | undefined) ?? page;
    if (isRedrawn && own.isClosedByRedraw) await own.begin();
    await waitFor(async () => expect((await field(own.name)).value).toBe(text));
    const now = await field(own.name);
    if (isRedrawn) act(() => now.focus());
    else expect([now, document.activeElement]).toEqual([typed, typed]);

    now.setSelectionRange(text.length, text.length);
    await page.user.keyboard('ught');
    expect(now.value).toBe(`${text}ught`);
    if (own.send) own.send(now);
    else await page.user.keyboard('{Enter}');
    const reached = kind === 'reply' && isLocked ? [] : [`${text}ught`];
    const expected = { visitor: [], team: [], [own.reaches]: reached };
    if (!afterwards) await waitFor(() => expect(sentBy(page)).toEqual(expected));
    await afterwards?.(page);
    await waitFor(() => expect(sentBy(page)).toEqual(expected));
  });
});

// The form of each stays where a draft has opened it, although what was typed is undone by hand.
it.each(['correction', 'note on a person'])('a %s that is undone by hand is no draft any more', async (kind) => {
  const own = FIELDS[kind] as Field;
  const page = await open();
  await own.begin();
  act(() => screen.getByRole('textbox', { name: own.name }).focus());
  await page.user.keyboard('x');
  await reload();
  const typed = await field(own.name);
  act(() => typed.focus());
  typed.setSelectionRange(1, 1);
  await page.user.keyboard('{Backspace}');
  expect([typed.isConnected, document.activeElement, typed.value]).toEqual([true, typed, '']);
  await reload();
  expect(screen.queryByRole('textbox', { name: own.name })).toBeNull();
});

it('a file that is dropped on a note is kept for the reply, and the note goes on', async () => {
  const { user, chat: open } = await openChat({ chat, messages: [answered] });
  const files = [new File(['x'], 'plan.pdf')];
  const mayLeave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  // The tests of other files may have left chosen files in memory.
  const couldLeave = mayLeave();
  const drop = () =>
    fireEvent.drop(screen.getByRole('region', { name: 'Chat' }), { dataTransfer: { types: ['Files'], files } });
  press(/^Note$/);
  const note = await field(/^Note$/);
  await user.type(note, HALF);
  drop();
  expect(await screen.findByText('Notes have no files. They are kept for your reply.')).toBeTruthy();
  await user.keyboard('ught');
  expect([document.activeElement, note.value]).toEqual([note, WHOLE]);
  press(/^Reply$/);
  expect(await screen.findByText('plan.pdf')).toBeTruthy();
  // A reload would lose it.
  expect(mayLeave()).toBe(false);
  press(/^Remove plan.pdf$/);
  expect(mayLeave()).toBe(couldLeave);
  expect(open._id).toBe(chat._id);
});

it('an empty field that nobody writes in follows the chat: notes while it is closed, then replies', async () => {
  const page = await open();
  tell(page, { status: 'closed' });
  await field(/^Note$/);
  tell(page, { status: 'active' });
  await field(/^Message$/);
  tell(page, { status: 'closed' });
  const note = await field(/^Note$/);
  act(() => note.focus());
  tell(page, { status: 'active' });
  expect(await screen.findByText(/What you write here is still a note/)).toBeTruthy();
});
