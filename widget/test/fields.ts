import type { VisitorAnswers } from 'server/contract';
import { expect } from 'vitest';
import { find, press, texts, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

// The fields that a visitor writes in, each in a conversation with a server in memory.

export let server: StandIn;

export async function startServer(): Promise<void> {
  server = await startStandIn();
}

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export const ANA = { name: 'Ana', avatar: null };
export const BEN = { name: 'Ben', avatar: null };
export const tell = (event: string, fact: object) => server.io.of('/visitor').emit(event, fact);
export const has = (selector: string, text: string) => waitFor(() => expect(texts(selector).join()).toContain(text));
export const root = () => find('.stage').getRootNode() as ShadowRoot;
export const inputsOf = ({ selector }: FieldRow) => [...root().querySelectorAll<Input>(selector)];
const isBox = (input: Input) => input.type === 'checkbox';
export const shownIn = (input: Input) => (isBox(input) ? `${(input as HTMLInputElement).checked}` : input.value);
export const contents = () =>
  server.messages.filter(({ sender }) => sender === 'visitor').map(({ content }) => content);
export const asked = (name: string) => server.asks.flatMap(([event, ask]) => (event === name ? [ask] : []));

/** The drafts of the browser, by the names of their entries. */
export const drafts = () => Object.keys(localStorage).filter((key) => /:draft(?!:sent)/.test(key));

/** What another tab does to a draft, with the event that this one gets. */
export function inOtherTab(key: string, value: string): void {
  const oldValue = localStorage.getItem(key);
  if (value) localStorage.setItem(key, value);
  else localStorage.removeItem(key);
  dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: value || null }));
}

export interface FieldRow {
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
export const FORM = {
  selector: '.form :is(input, select)',
  typed: ANSWERED,
  send: () => write('Hello?'),
  // The answers go with the message, or with the next session.
  got: () => contents().map((_, at) => server.visitors[at]),
  sent: ANSWERS,
};

async function talk(): Promise<void> {
  write('Hello');
  await has('.mine .state', 'Sent');
}

export const FIELDS: Record<string, FieldRow> = {
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
    got: () => server.visitors,
    sent: { email: 'mina@example.com' },
  },
};

async function askForTranscript(): Promise<void> {
  await has('.bubble', 'Hi.');
  find('header .tool').click();
  await waitFor(() => press('Send transcript by email'));
}

export const chatId = () => server.messages[0]?.chatId ?? '';
export const end = () => has('.note', 'has ended').then(() => tell('chat_closed', { chatId: chatId() }));

export function fill(inputs: Input[], typed: string[]): void {
  inputs.forEach((input, at) => {
    if (isBox(input)) (input as HTMLInputElement).checked = true;
    else input.value = typed[at] ?? '';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
