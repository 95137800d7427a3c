import type { AnswerSource } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillIn, find, leave, parley, press, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const SOURCE: AnswerSource = { title: 'Returns', article: 'a1', lang: 'en', url: null };
const SENTENCE = 'You have thirty days. ';
const HANDED_OVER = 'A person will take over from here.';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  server.config.assistant = { name: 'Nova' };
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

/** Without the dots that stand for what is to come. */
const bubbles = () => texts('.bubble:not([hidden]) .text').map((text) => text.replace('•••', ''));
const asked = (event: string) => server.asks.filter(([name]) => name === event).map(([, ask]) => ask);

/** Opens the panel of a site with the assistant. */
async function meet(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher').click());
  await waitFor(() => expect(find('.assistant').hidden).toBe(false));
}

/** @returns the id of the chat that begins */
async function ask(): Promise<string> {
  await meet();
  write('How do I return it?');
  await waitFor(() => expect(texts('.foot.sent')).toHaveLength(1));
  return server.messages[0]?.chatId ?? '';
}

const isGone = () => waitFor(() => expect(find('.assistant').hidden).toBe(true));

test('who wants a person before the first message gets one with it', async () => {
  await meet();
  press('Talk to a person');
  await isGone();
  expect(texts('.notice')).toEqual(['A person will answer you here.']);
  write('Hello');
  await waitFor(() => expect(asked('send_message')).toMatchObject([{ content: 'Hello', person: true }]));
  await waitFor(() => expect(texts('.foot.sent')).toHaveLength(1));
  expect(localStorage.getItem('parley:corner-shop:person')).toBeNull();
  expect(asked('want_person')).toEqual([]);
  server.say('Hello, I am Ana.');
  await waitFor(() => expect(bubbles()).toContain('Hello, I am Ana.'));
});

test('in the middle of a sentence, one tap ends it at once', async () => {
  const chatId = await ask();
  server.run('r1');
  server.sentence('r1', SENTENCE.length, SENTENCE);
  await waitFor(() => expect(bubbles()).toContain(SENTENCE));
  press('Talk to a person');
  await isGone();
  expect(bubbles()).not.toContain(SENTENCE);
  await waitFor(() => expect(asked('want_person')).toEqual([{ chatId }]));
  server.handOver(HANDED_OVER);
  await waitFor(() => expect(texts('.note .text')).toEqual([HANDED_OVER]));
  expect(texts('.notice')).toEqual(['']);
});

test('a wish without a connection is kept, over a load of the page too, and told when there is one', async () => {
  const chatId = await ask();
  server.io.of('/visitor').disconnectSockets(true);
  await waitFor(() => expect(find('.lost').hidden).toBe(false));
  press('Talk to a person');
  await isGone();
  leave();
  visit(server);
  parley().open();
  await waitFor(() => expect(asked('want_person')).toEqual([{ chatId }]));
  await isGone();
});

test('another tab follows, and tells it if the one with the wish is gone', async () => {
  const chatId = await ask();
  localStorage.setItem('parley:corner-shop:person', '1');
  dispatchEvent(new StorageEvent('storage', { key: 'parley:corner-shop:person', newValue: '1' }));
  await isGone();
  await waitFor(() => expect(asked('want_person')).toEqual([{ chatId }]));
  await waitFor(() => expect(localStorage.getItem('parley:corner-shop:person')).toBeNull());
});

test('when the assistant gives up, nothing is left of it but its answers', async () => {
  await ask();
  server.answer('Thirty days.', [SOURCE]);
  await waitFor(() => expect(find('.judged').hidden).toBe(false));
  server.handOver(HANDED_OVER);
  await isGone();
  expect(find('.judged').hidden).toBe(true);
  await waitFor(() => expect(texts('.note .text')).toEqual([HANDED_OVER]));
  expect(bubbles()).toContain('Thirty days.Returns');
  // The next message goes to the person.
  expect(texts('.form')).toEqual([]);
});

test('while nobody is there, the assistant asks for nothing; after the hand-over the answer may come by mail', async () => {
  server.config.online = false;
  await ask();
  expect(server.visitors).toEqual([]);
  server.handOver(HANDED_OVER);
  await isGone();
  await waitFor(() => expect(texts('.form h3')).toEqual(['Where can we send you the answer?']));
  expect(texts('.offline')).toEqual(['Nobody is there.']);
  fillIn('Email', 'mia@example.com');
  press('Save');
  await waitFor(() => expect(server.visitors).toEqual([{ email: 'mia@example.com' }]));
  expect(texts('.form')).toEqual([]);
});

test('who wants a person while nobody is there leaves a message with an address', async () => {
  server.config.online = false;
  await meet();
  press('Talk to a person');
  await waitFor(() => expect(texts('.form h3')).toEqual(['Leave us a message']));
});

test('its answers count, show and are told to the page as those of people', async () => {
  await ask();
  const heard = vi.fn();
  const counts: number[] = [];
  parley().on('message:received', heard);
  parley().on('unread', (count) => counts.push(count));
  parley().close();
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  server.answer('Thirty days.', [SOURCE]);
  await waitFor(() => expect(texts('.badge')).toEqual(['1']));
  await waitFor(() => expect(texts('.teaser .lines')).toEqual(['NovaThirty days.']));
  expect(heard).toHaveBeenCalledWith(expect.objectContaining({ sender: 'assistant', sources: [SOURCE] }));
  expect(counts).toEqual([1]);
  server.handOver(HANDED_OVER);
  await waitFor(() => expect(server.messages).toHaveLength(3));
  expect(texts('.badge')).toEqual(['1']);
});
