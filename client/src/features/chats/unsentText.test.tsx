import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
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

type Page = Awaited<ReturnType<typeof open>>;

const answered = makeMessage({ seq: 1, ...mine, content: '', timestamp: new Date().toISOString() });
const open = async () => {
  const page = await openChat({ chat, messages: [answered] });
  // Whatever is sent ends at once: the outbox of the next page is the same.
  const refusal = { code: 'CHAT_CLOSED', message: 'Not in this test.' };
  page.socket.answer('send_message', () => ({ ok: false, retryable: false, ...refusal }));
  for (const name of ['POST /chats/:id/messages', 'POST /chats/:id/notes'] as const)
    page.api.on(name, new Refusal(409, refusal));
  return page;
};
const press = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name, hidden: true }));
const field = (name: RegExp) => screen.findByRole<HTMLTextAreaElement>('textbox', { name, hidden: true });

/** Each field, in both languages: how it is opened, and found. */
const FIELDS = {
  reply: { name: /^(Message|Nachricht)$/, begin: () => {} },
  note: { name: /^(Note|Notiz)$/, begin: () => press(/^Note$/) },
  correction: {
    name: /^(Edit message|Nachricht bearbeiten)$/,
    begin: async () => fireEvent.click(await screen.findByRole('button', { name: 'Edit message' })),
  },
  'note on a person': {
    name: /^(Note on this person|Notiz zu dieser Person)$/,
    begin: async () => fireEvent.click(await screen.findByRole('button', { name: 'Add a note' })),
  },
  'contact details': {
    name: /^(Phone|Telefon)$/,
    begin: async () =>
      fireEvent.click(await screen.findByRole('button', { name: /^(Edit contact details|Kontaktdaten bearbeiten)$/ })),
  },
};
type Field = keyof typeof FIELDS;

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
/** The texts that left the page. */
const sentBy = ({ socket, api }: Page) => {
  const texts = (bodies: unknown[]) => bodies.map((body) => (body as { content: string }).content);
  const bodies = (name: 'POST /chats/:id/messages' | 'POST /chats/:id/notes') =>
    api.asked(name).map(({ body }) => body);
  return {
    toVisitor: texts([...socket.sent('send_message'), ...bodies('POST /chats/:id/messages')]),
    toTeam: texts(bodies('POST /chats/:id/notes')),
  };
};

interface Event {
  /** @returns the page, where it is another one */
  happens: (page: Page) => unknown;
  /** The field has gone, and with it the focus. */
  isRedrawn?: boolean;
  /** What is in the field then. */
  text?: string;
  /** A reply cannot be sent then. */
  isLocked?: boolean;
}

const HALF = 'Half a tho';

const EVENTS: Record<string, Event> = {
  closed: { happens: (page) => tell(page, { status: 'closed' }), isLocked: true },
  reopened: {
    happens: (page) => {
      tell(page, { status: 'closed' });
      tell(page, { status: 'active', claimedBy: BEN });
    },
  },
  'transferred, handed back, and claimed by another': {
    happens: (page) => {
      tell(page, { claimedBy: BEN });
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
  offline: { happens: ({ socket }) => act(() => socket.drop()) },
  'sent or saved in another tab': { happens: () => inOtherTab(() => null), text: '' },
  'written in another tab': {
    happens: () => inOtherTab((text) => text.replace(HALF, 'Half a thou')),
    text: 'Half a thou',
  },
  'another language': {
    happens: () => act(() => showTexts('de', german)),
    isRedrawn: true,
  },
  'reload, after a release that noted no times': {
    happens: () => {
      localStorage.removeItem('parley_draft_times');
      cleanup();
      return open();
    },
    isRedrawn: true,
  },
};

/** What is typed on one page: the last field has the focus. */
const ROWS: { fields: readonly Field[] }[] = [
  { fields: ['reply'] },
  { fields: ['note'] },
  { fields: ['correction', 'note on a person', 'contact details'] },
];

describe.each(Object.entries(EVENTS))(
  'what is typed, %s',
  (_, { happens, isRedrawn = false, text = HALF, isLocked = false }) => {
    it.each(ROWS)('$fields keep text, focus and readers', async ({ fields }) => {
      let page = await open();
      for (const each of fields) {
        await FIELDS[each].begin();
        const typed = await field(FIELDS[each].name);
        act(() => typed.focus());
        await page.user.keyboard(HALF);
      }
      const before = document.activeElement;
      page = ((await happens(page)) as Page | undefined) ?? page;
      if (isRedrawn && fields.includes('contact details')) await FIELDS['contact details'].begin();
      for (const each of fields) await waitFor(async () => expect((await field(FIELDS[each].name)).value).toBe(text));
      const [kind] = fields.slice(-1);
      const after = await field(FIELDS[kind ?? 'reply'].name);
      if (!isRedrawn) expect([after, document.activeElement]).toEqual([before, before]);

      act(() => after.focus());
      after.setSelectionRange(text.length, text.length);
      await page.user.keyboard('ught');
      expect(after.value).toBe(`${text}ught`);
      if (kind !== 'contact details') await page.user.keyboard('{Enter}');
      const [toVisitor, toTeam] = [kind === 'reply' && !isLocked, kind === 'note'].map((is) =>
        is ? [`${text}ught`] : [],
      );
      await waitFor(() => expect(sentBy(page)).toEqual({ toVisitor, toTeam }));
    });
  },
);
