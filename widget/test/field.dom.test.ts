import type { VisitorAnswers } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, press, texts, type, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const ANA = { name: 'Ana', avatar: null };
const BEN = { name: 'Ben', avatar: null };
const tell = (event: string, fact: object) => server.io.of('/visitor').emit(event, fact);
const has = (selector: string, text: string) => waitFor(() => expect(texts(selector).join()).toContain(text));
const root = () => find('.stage').getRootNode() as ShadowRoot;
const inputsOf = ({ selector }: FieldRow) => [...root().querySelectorAll<Input>(selector)];
const isBox = (input: Input) => input.type === 'checkbox';
const shownIn = (input: Input) => (isBox(input) ? `${(input as HTMLInputElement).checked}` : input.value);
const contents = () => server.messages.filter(({ sender }) => sender === 'visitor').map(({ content }) => content);
const asked = (name: string) => server.asks.flatMap(([event, ask]) => (event === name ? [ask] : []));
const posted = (name: string) => server.bodies.flatMap(([call, body]) => (call === name ? [body] : []));

/** The drafts of the browser, by the names of their entries. */
const drafts = () => Object.keys(localStorage).filter((key) => /:draft(?!:sent)/.test(key));

/** What another tab does to a draft, with the event that this one gets. */
function inOtherTab(key: string, value: string): void {
  const oldValue = localStorage.getItem(key);
  if (value) localStorage.setItem(key, value);
  else localStorage.removeItem(key);
  dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: value || null }));
}

interface FieldRow {
  config?: object;
  /** All that can be filled in, and with what; the first one has the focus. */
  selector: string;
  typed: string[];
  /** Brings it onto the page, in the visitor's first conversation. */
  open?(): unknown;
  /** Brings it back on a page that is loaded again, where that is the visitor's business. */
  reopen?(): unknown;
  send(): void;
  /** What the team got from it. */
  got(): unknown[];
  /** What it gets of what is typed. */
  sent: object | string;
}

const QUESTIONS = {
  preChat: 'required',
  preChatFields: [
    { kind: 'name', label: '', required: true },
    { kind: 'email', label: '', required: true },
    { kind: 'phone', label: '', required: true },
    { kind: 'choice', label: 'Topic', required: true, options: ['Order', 'Other'] },
    { kind: 'checkbox', label: 'Member', required: false },
  ],
  consent: { text: 'I agree', url: null },
};
const ANSWERED = ['Mina', 'mina@example.com', '+49 30 1234567', 'Order', 'true', 'true'];
const ANSWERS: VisitorAnswers = {
  name: 'Mina',
  email: 'mina@example.com',
  phone: '+49 30 1234567',
  answers: { Topic: 'Order', Member: true },
  consent: true,
};
const FORM = {
  selector: '.form :is(input, select)',
  typed: ANSWERED,
  send: () => write('Hello?'),
  // The answers go with the message, or with the next session.
  got: () => contents().map((_, at) => [...posted('POST /offline'), ...server.visitors][at]),
  sent: ANSWERS,
};

async function talk(): Promise<void> {
  write('Hello');
  await has('.mine .state', 'Sent');
}

const FIELDS: Record<string, FieldRow> = {
  composer: {
    selector: '.composer:not(.editor) textarea',
    typed: ['Mina'],
    open: talk,
    send: () => find('.send').click(),
    got: () => contents().slice(1),
    sent: 'Mina',
  },
  'offline form': { ...FORM, config: { ...QUESTIONS, online: false } },
  'form before the chat': { ...FORM, config: QUESTIONS },
  correction: {
    selector: '.editor textarea',
    typed: ['Mina'],
    async open() {
      await talk();
      find('.mine .change').click();
      await waitFor(() => press('Edit'));
    },
    send: () => find('.editor .send').click(),
    got: () => asked('edit_message'),
    sent: { content: 'Mina' },
  },
  'rating comment': {
    selector: '.card textarea',
    typed: ['Mina'],
    async open() {
      await talk();
      server.close();
      await end();
      await waitFor(() => find('.star:last-of-type input').click());
      await has('.card [role=status]', 'Thank you');
    },
    send: () => press('Send comment'),
    got: () => asked('rate').filter((ask) => 'comment' in ask),
    sent: { score: 5, comment: 'Mina' },
  },
  transcript: {
    selector: '.card input[type=email]',
    typed: ['mina@example.com'],
    async open() {
      await talk();
      server.say('Hi.');
      await askForTranscript();
    },
    reopen: askForTranscript,
    send: () => press('Send transcript by email'),
    got: () => posted('POST /transcript'),
    sent: { email: 'mina@example.com' },
  },
};

async function askForTranscript(): Promise<void> {
  await has('.bubble', 'Hi.');
  find('header .tool').click();
  await waitFor(() => press('Send transcript by email'));
}

const chatId = () => server.messages[0]?.chatId ?? '';
const end = () => has('.note', 'has ended').then(() => tell('chat_closed', { chatId: chatId() }));

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

interface EventRow {
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
  for (const got of [server.asks, server.bodies, server.visitors]) got.length = 0;
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

const EVENTS: Record<string, EventRow> = {
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

function fill(inputs: Input[], typed: string[]): void {
  inputs.forEach((input, at) => {
    if (isBox(input)) (input as HTMLInputElement).checked = true;
    else input.value = typed[at] ?? '';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Opens a page with the field, and types in it. */
async function typeIn(field: FieldRow): Promise<Input[]> {
  Object.assign(server.config, field.config);
  visit(server);
  parley().identify({ id: 'ana' });
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
  await field.open?.();
  const inputs = await waitFor(() => {
    expect(inputsOf(field)).toHaveLength(field.typed.length);
    return inputsOf(field);
  });
  inputs[0]?.focus();
  fill(inputs, field.typed);
  return inputs;
}

/** The team gets it once, and no draft is left. */
async function sentOnce(field: FieldRow, shown = field.typed): Promise<void> {
  const expected = JSON.stringify(field.sent).replace(JSON.stringify(field.typed[0]), JSON.stringify(shown[0]));
  const match = JSON.parse(expected);
  const once = [typeof match === 'string' ? match : expect.objectContaining(match)];
  await waitFor(() => expect(field.got()).toEqual(once));
  await waitFor(() => expect(drafts()).toEqual([]));
}

/** What else was sent has come before this call. */
const answered = async () => void (await (await fetch(`${server.origin}/api/widget/${server.code}`)).text());

const ofEvents = (isPassing: boolean) =>
  Object.keys(FIELDS).flatMap((field) =>
    Object.entries(EVENTS)
      .filter(([, row]) => isPassing === (Object.keys(row).length === 1))
      .map(([event]) => [field, event] as const),
  );

test.each(Object.keys(FIELDS))('%s: what happens meanwhile takes neither the focus nor the text', async (name) => {
  const field = FIELDS[name] as FieldRow;
  const inputs = await typeIn(field);
  for (const [, event] of ofEvents(true).filter(([each]) => each === name)) {
    await EVENTS[event]?.happens(field);
    expect(inputsOf(field), event).toEqual(inputs);
    expect(inputs.map(shownIn), event).toEqual(field.typed);
    expect(root().activeElement, event).toBe(inputs[0]);
  }
  field.send();
  await sentOnce(field);
  await answered();
  expect(field.got()).toHaveLength(1);
});

test.each(ofEvents(false))('%s: %s', async (name, event) => {
  const field = FIELDS[name] as FieldRow;
  const { happens, shows = (typed: string[]) => typed, times = 1, isLeft, needs } = EVENTS[event] as EventRow;
  const inputs = await typeIn(field);
  await happens(field);
  if (times === 0) {
    // Gone with what was typed, or empty.
    const shown = () => inputsOf(field).map(shownIn);
    await waitFor(() => expect(shown().filter((value) => value && value !== 'false')).toEqual([]));
  } else {
    const shown = shows(field.typed);
    await waitFor(() => expect(inputsOf(field).map(shownIn)).toEqual(shown));
    if (!isLeft) {
      expect(inputsOf(field)).toEqual(inputs);
      expect(root().activeElement).toBe(inputs[0]);
    }
    field.send();
    await needs?.[name]?.(field);
    await sentOnce(field, shown);
  }
  await answered();
  expect(field.got()).toHaveLength(times);
});

async function writing(text: string): Promise<HTMLTextAreaElement> {
  visit(server);
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
  const input = type(text);
  input.focus();
  return input;
}

test('a click is not lost to a language that waits until the visitor has left the field', async () => {
  const input = await writing('Hello');
  parley().setLanguage('de');
  // The press of a button takes the focus from the field, some time before the click.
  const button = find('.send');
  button.focus();
  for (let call = 0; call < 3; call++) await (await fetch(`${server.origin}/api/widget/${server.code}`)).text();
  button.click();
  await waitFor(() => expect(contents()).toEqual(['Hello']));
  input.blur();
  await waitFor(() => expect(find('.send').getAttribute('aria-label')).toBe('Senden'));
});

test('a page that the browser brings back does not send what was sent meanwhile', async () => {
  const input = await writing('Hello');
  // Another page has sent it, and this one got no event of it.
  localStorage.removeItem(`parley:${server.code}:draft`);
  localStorage.setItem(`parley:${server.code}:draft:sent`, 'Hello');
  find('.send').click();
  expect(input.value).toBe('');
  write('Hello again');
  await waitFor(() => expect(contents()).toEqual(['Hello again']));
});
