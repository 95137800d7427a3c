import { expect } from 'vitest';
import {
  ANA,
  asked,
  BEN,
  chatId,
  contents,
  drafts,
  end,
  type FieldRow,
  FORM,
  fill,
  has,
  inOtherTab,
  inputsOf,
  server,
  shownIn,
  tell,
} from './fields.ts';
import { find, leave, parley, press, texts, visit } from './page.ts';
import { waitFor } from './wait.ts';

// What happens while a visitor writes.

/** A chat, where the visitor has not begun one. */
function aChat(): void {
  if (!server.messages.length) server.say('Hi.');
}

async function reconnected(cut: () => void): Promise<void> {
  const connected = new Promise((done) => void server.io.of('/visitor').once('connection', done));
  cut();
  await connected;
  const { length } = asked('sync');
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(length));
}

export interface EventRow {
  happens(field: FieldRow): unknown;
  /** What the fields show after it; left out: what was typed. */
  shows?(typed: string[]): string[];
  /** How often the team gets it; left out: once. */
  times?: number;
  /** After it, nothing has the focus. */
  isLeft?: boolean;
  /** What else is needed after the first try to send, by the name of the field. */
  needs?: Record<string, (field: FieldRow) => unknown>;
}

/** Fills in what the form above the composer asks for. */
async function introduce(field: FieldRow): Promise<void> {
  await waitFor(() => find('.form'));
  expect(contents()).toEqual(['Hello']);
  fill(inputsOf(FORM), ['Mina', 'mina@example.com']);
  field.send();
}

/** From now on it counts what the server gets. */
function serverIsBack(): void {
  for (const got of [server.asks, server.visitors]) got.length = 0;
  server.status = 200;
  server.refusal = null;
}

/** The form's answers are sent again by themselves. */
async function afterRefusal(): Promise<void> {
  // The first call opened the session.
  await waitFor(() => expect(server.calls.filter((call) => call.startsWith('POST')).length).toBeGreaterThan(1));
  serverIsBack();
}

/** Sends it again, once this says that it was refused. */
const againAfter = (selector: string, why: string, again?: () => void) => async (field: FieldRow) => {
  await has(selector, why);
  if (!again) expect(inputsOf(field).map(shownIn)).toEqual(field.typed);
  serverIsBack();
  (again ?? field.send)();
};

export const EVENTS: Record<string, EventRow> = {
  'the last agent leaves': {
    async happens() {
      server.close();
      server.config.online = false;
      tell('chat_closed', { chatId: chatId() });
      server.online(false);
      await has('.status', 'offline');
    },
    needs: { composer: introduce },
  },
  'an agent comes': {
    async happens() {
      server.config.online = true;
      server.online(true);
      await has('.status', 'We are online');
    },
  },
  'an agent claims it': {
    async happens() {
      aChat();
      server.claim(ANA);
      await has('.status', 'Ana');
    },
  },
  'it is transferred, and handed back': {
    async happens() {
      aChat();
      server.claim(ANA);
      server.claim(BEN);
      await has('.status', 'Ben');
      server.handBack();
      await waitFor(() => expect(texts('.status').join()).not.toContain('Ben'));
    },
  },
  'it ends': {
    async happens() {
      aChat();
      server.close();
      await end();
    },
  },
  'it is reopened': {
    async happens() {
      aChat();
      server.close();
      server.reopen(ANA);
      await has('.note', 'continues');
    },
  },
  'another tab types': {
    happens: ({ typed: [first] }) => inOtherTab(drafts()[0] ?? '', `${first}.org`),
    shows: ([first, ...others]) => [`${first}.org`, ...others],
  },
  'another tab sends': { happens: () => drafts().forEach((key) => void inOtherTab(key, '')), times: 0 },
  'the network goes and comes': {
    happens: () => reconnected(() => ['offline', 'online'].forEach((type) => void dispatchEvent(new Event(type)))),
  },
  'the server is updated': {
    happens: async () => {
      server.io.of('/visitor').disconnectSockets(true);
      await waitFor(() => expect(find('.lost').hidden).toBe(false));
      await reconnected(() => dispatchEvent(new Event('focus')));
    },
  },
  'the server refuses at first': {
    happens({ selector }) {
      server.status = 503;
      if (selector !== FORM.selector) server.refusal = 'UNAVAILABLE';
    },
    needs: {
      composer: againAfter('.foot', 'Not sent', () => press('Retry')),
      'offline form': afterRefusal,
      'form before the chat': afterRefusal,
      correction: againAfter('.editor .fault', 'No.'),
      'rating comment': againAfter('.card .fault', 'did not work'),
      transcript: againAfter('.composer .notice', 'There is no such widget.'),
    },
  },
  'the language changes': {
    async happens() {
      parley().setLanguage('de');
      parley().setTheme('dark');
      await waitFor(() => expect(find('.stage').hasAttribute('data-dark')).toBe(true));
    },
  },
  'the settings change': {
    async happens() {
      const customization = { ...server.config.customization, navbarTitle: 'Ask us' };
      tell('config_changed', { config: { ...server.config, customization } });
      await has('.title', 'Ask us');
    },
  },
  'the page clears the storage': { happens: () => localStorage.clear() },
  'the page is loaded again': {
    async happens({ reopen }) {
      // A page that is left keeps nothing in memory.
      await reconnected(() => {
        leave();
        visit(server);
      });
      await reopen?.();
    },
    isLeft: true,
  },
  'another visitor logs in': { happens: () => parley().identify({ id: 'ben' }), times: 0 },
};
