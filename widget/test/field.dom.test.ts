import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillIn, find, leave, parley, texts, type, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  await server.stop();
});

const has = (selector: string, text: string) => waitFor(() => expect(texts(selector).join()).toContain(text));
const root = () => find('.stage').getRootNode() as ShadowRoot;

/** What another tab does to the drafts, with the event that this one gets. */
function inOtherTab(key: string, value: string): void {
  const full = `parley:${server.code}:${key}`;
  const oldValue = localStorage.getItem(full);
  if (value) localStorage.setItem(full, value);
  else localStorage.removeItem(full);
  dispatchEvent(new StorageEvent('storage', { key: full, oldValue, newValue: value || null }));
}

interface FieldRow {
  key: string;
  config: object;
  input(): HTMLInputElement | HTMLTextAreaElement;
  /** Answers what else is asked, if anything, and sends a message. */
  send(): void;
}

/** The fields of the visitor. Each gets 'Mina'. */
const FIELDS: Record<string, FieldRow> = {
  composer: {
    key: 'draft',
    config: {},
    input: () => find<HTMLTextAreaElement>('.composer textarea'),
    send: () => find('.send').click(),
  },
  'offline form': {
    key: 'form:name',
    config: { online: false },
    input: () => find<HTMLInputElement>('.form input'),
    send: sendWithAnswers,
  },
  'form before the chat': {
    key: 'form:name',
    config: { preChat: 'required' },
    input: () => find<HTMLInputElement>('.form input'),
    send: sendWithAnswers,
  },
};

function sendWithAnswers(): void {
  if (texts('.form').length) fillIn('Email', 'mina@example.com');
  write('Hello?');
}

interface EventRow {
  happens(field: FieldRow): unknown;
  text: string;
  /** How many messages the team gets from this tab. */
  sent: number;
  /** After it, nothing has the focus. */
  isLeft?: boolean;
  /** The field from which no message goes before a form is filled in. */
  waits?: string;
}

const EVENTS: Record<string, EventRow> = {
  'the last agent leaves': {
    happens: async () => {
      server.config.online = false;
      server.online(false);
      await has('.status', 'offline');
      await waitFor(() => find('.form'));
    },
    text: 'Mina',
    // The composer's message waits for a name and an address.
    sent: 1,
    waits: 'composer',
  },
  'an agent comes': {
    happens: async () => {
      server.config.online = true;
      server.online(true);
      await has('.status', 'We are online');
    },
    text: 'Mina',
    sent: 1,
  },
  'an agent ends the chat': {
    happens: async () => {
      server.say('Bye.');
      server.close();
      await has('.note', 'has ended');
    },
    text: 'Mina',
    sent: 1,
  },
  'another tab types': { happens: ({ key }) => inOtherTab(key, 'Mina Park'), text: 'Mina Park', sent: 1 },
  'another tab sends': { happens: ({ key }) => inOtherTab(key, ''), text: '', sent: 0 },
  'the language changes': {
    happens: async () => {
      parley().setLanguage('de');
      parley().setTheme('dark');
      await waitFor(() => expect(find('.stage').hasAttribute('data-dark')).toBe(true));
    },
    text: 'Mina',
    sent: 1,
  },
  'the settings change': {
    happens: async () => {
      const { customization } = server.config;
      const config = { ...server.config, customization: { ...customization, navbarTitle: 'Ask us' } };
      server.io.of('/visitor').emit('config_changed', { config });
      await has('.title', 'Ask us');
    },
    text: 'Mina',
    sent: 1,
  },
  'the page is loaded again': {
    happens: async ({ input }) => {
      // A page that is left keeps nothing in memory.
      leave();
      visit(server);
      await waitFor(() => input());
    },
    text: 'Mina',
    sent: 1,
    isLeft: true,
  },
  'another visitor logs in': { happens: () => parley().identify({ id: 'ben' }), text: '', sent: 0 },
};

const ROWS = Object.keys(FIELDS).flatMap((field) => Object.keys(EVENTS).map((event) => [field, event] as const));

test.each(ROWS)('%s: %s', async (name, event) => {
  const field = FIELDS[name] as FieldRow;
  const { happens, text, sent, isLeft = false, waits } = EVENTS[event] as EventRow;
  Object.assign(server.config, field.config);
  visit(server);
  parley().identify({ id: 'ana' });
  parley().open();
  await waitFor(() => expect(server.asks.length).toBeGreaterThan(0));
  const input = await waitFor(field.input);
  input.focus();
  if (name === 'composer') type('Mina');
  else fillIn('Name', 'Mina');
  await happens(field);
  await waitFor(() => expect(field.input().value).toBe(text));
  if (!isLeft) {
    expect(field.input()).toBe(input);
    expect(root().activeElement).toBe(input);
  }
  field.send();
  if (waits === name) {
    expect(texts('.form .fault')[0]).toBe('Please enter your name');
    expect(field.input().value).toBe(text);
    fillIn('Name', 'Mina');
    fillIn('Email', 'mina@example.com');
    field.send();
  }
  // What is sent goes through this call, or none was made.
  const isDone = () => server.messages.filter(({ sender }) => sender === 'visitor').length;
  if (sent) await waitFor(() => expect(isDone()).toBe(1));
  await (await fetch(`${server.origin}/api/widget/${server.code}`)).text();
  expect(isDone()).toBe(sent);
});
