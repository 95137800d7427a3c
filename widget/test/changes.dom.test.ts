import { MESSAGE_CHANGE_MS, type Message } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, press, texts, visit, write } from './page.ts';
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

const tell = (event: string, fact: object) => server.io.of('/visitor').emit(event, fact);

/** Opens the widget and sends a message. @returns the chat's id */
async function talk(language = 'en'): Promise<string> {
  visit(server, { language });
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(server.asks.some(([event]) => event === 'sync')).toBe(true));
  write('Hello');
  await waitFor(() => expect(texts('.mine .state')).toEqual([language === 'de' ? 'Gesendet' : 'Sent']));
  return server.messages[0]?.chatId ?? '';
}

test('a chat that an agent reopens can be written in again, and is no longer to be rated', async () => {
  const chatId = await talk();
  const heard: string[] = [];
  parley().on('chat:started', (detail) => heard.push(detail.chatId));
  server.close();
  tell('chat_closed', { chatId });
  await waitFor(() => expect(texts('legend')).toEqual(['How was this chat?']));
  heard.length = 0;
  server.reopen({ name: 'Ana', avatar: null });
  await waitFor(() => expect(texts('legend')).toEqual([]));
  expect(texts('.note .text').at(-1)).toBe('This conversation continues.');
  expect(heard).toEqual([chatId]);
  write('One more thing');
  await waitFor(() => expect(server.messages.at(-1)).toMatchObject({ chatId, seq: 4, content: 'One more thing' }));
});

test('a star alone rates, another one changes it, and a comment can follow', async () => {
  const chatId = await talk();
  server.close();
  tell('chat_closed', { chatId });
  await waitFor(() => expect(texts('legend')).toEqual(['How was this chat?']));
  const choose = (score: number) => find<HTMLInputElement>(`.star:nth-of-type(${score}) input`).click();
  const outcome = () => texts('.card [role=status]');
  server.refusal = 'UNAVAILABLE';
  choose(3);
  await waitFor(() => expect(outcome()).toEqual(['That did not work. Please try again.']));
  server.refusal = null;
  choose(2);
  choose(4);
  await waitFor(() => expect(outcome()).toEqual(['Thank you for your rating.']));
  find<HTMLTextAreaElement>('.card textarea').value = 'Quick';
  press('Send comment');
  await waitFor(() => expect(texts('.card')).toEqual([]));
  const scores = [3, 2, 4].map((score) => ({ chatId, score }));
  expect(asked('rate')).toEqual([...scores, { chatId, score: 4, comment: 'Quick' }]);
  expect(texts('.composer .notice')).toEqual(['Thank you for your rating.']);
});

/** The newest message as its author has changed it. */
function change(part: { content: string; editedAt?: string; deletedAt?: string }): Message {
  const [was] = server.messages.slice(-1);
  if (!was) throw new Error('Nobody has written.');
  const now = { ...was, ...part, text: part.content, edit: (was.edit ?? 0) + 1 };
  server.messages.splice(-1, 1, now);
  return now;
}

const key = (node: HTMLElement, name: string) =>
  node.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
const asked = (name: string) => server.asks.filter(([event]) => event === name).map(([, ask]) => ask);

/** Opens the menu of the newest own message. */
async function openMenu(): Promise<void> {
  const buttons = document.querySelector('parley-widget')?.shadowRoot?.querySelectorAll<HTMLElement>('.mine .change');
  [...(buttons ?? [])].at(-1)?.click();
  await waitFor(() => expect(texts('.choices button').length).toBeGreaterThan(0));
}

test('an own text is corrected in place of the composer, which keeps its draft', async () => {
  const chatId = await talk();
  const draft = find<HTMLTextAreaElement>('textarea');
  draft.value = 'And one more';
  draft.dispatchEvent(new Event('input', { bubbles: true }));
  await openMenu();
  expect(texts('.choices [role=menuitem]')).toEqual(['Edit', 'Delete']);
  expect(find('.mine .change').getAttribute('aria-label')).toBe('More: Hello');
  press('Edit');
  const editor = find<HTMLTextAreaElement>('.editor textarea');
  expect(editor.value).toBe('Hello');
  editor.value = 'Hello there';
  key(editor, 'Escape');
  expect(texts('.editor')).toEqual([]);
  expect(find('.panel').hidden).toBe(false);

  await openMenu();
  press('Edit');
  expect(editor.value).toBe('Hello');
  editor.value = ' Hello there ';
  server.refusal = 'TOO_LATE';
  key(editor, 'Enter');
  await waitFor(() => expect(texts('.editor .fault')).toEqual(['This message can no longer be changed.']));
  server.refusal = null;
  key(editor, 'Enter');
  await waitFor(() => expect(texts('.editor')).toEqual([]));
  const ask = { chatId, messageId: server.messages[0]?._id, content: 'Hello there' };
  expect(asked('edit_message')).toEqual([ask, ask]);
  tell('message_changed', { message: change({ content: 'Hello there', editedAt: AT }) });
  await waitFor(() => expect(texts('.mine .text')).toEqual(['Hello thereedited']));
  expect(draft.value).toBe('And one more');
});

test('deleting an own message asks once, and says when it did not work', async () => {
  const chatId = await talk();
  await openMenu();
  press('Delete');
  expect(texts('.choices p')).toEqual(['Delete this message?', '']);
  key(find('.choices'), 'Escape');
  expect(texts('.choices')).toEqual([]);
  expect(asked('delete_message')).toEqual([]);

  await openMenu();
  press('Delete');
  server.io.of('/visitor').disconnectSockets(true);
  await waitFor(() => expect(find('.lost').hidden).toBe(false));
  find('.choices .delete').click();
  await waitFor(() => expect(texts('.choices .fault')).toEqual(['That did not work. Please try again.']));
  await waitFor(() => expect(find('.lost').hidden).toBe(true));
  find('.choices .delete').click();
  await waitFor(() => expect(texts('.choices')).toEqual([]));
  expect(asked('delete_message')).toEqual([{ chatId, messageId: server.messages[0]?._id }]);
  tell('message_changed', { message: change({ content: '', deletedAt: AT }) });
  await waitFor(() => expect(texts('.mine .text')).toEqual(['Message deleted']));
  expect(find('.mine .change').hidden).toBe(true);
});

test('a file can only be deleted, an answer or an old message not even that', async () => {
  await talk();
  server.say('Hi');
  server.messages.push({
    ...(server.messages[0] as Message),
    _id: 'b',
    clientId: 'b',
    seq: 3,
    type: 'file',
    file: FILE,
  });
  const old = new Date(Date.now() - MESSAGE_CHANGE_MS).toISOString();
  server.messages.push({ ...(server.messages[0] as Message), _id: 'c', clientId: 'c', seq: 4, timestamp: old });
  server.io.of('/visitor').disconnectSockets(true);
  await waitFor(() => expect(texts('.mine .text')).toHaveLength(3));
  const root = document.querySelector('parley-widget')?.shadowRoot;
  const buttons = [...(root?.querySelectorAll<HTMLElement>('.bubble .change') ?? [])];
  expect(buttons.map(({ hidden }) => hidden)).toEqual([true, false, true, false, true]);
  buttons[3]?.click();
  await waitFor(() => expect(texts('.choices button')).toEqual(['Delete']));
});

const FILE = { url: '/api/files/a', name: 'a.txt', size: 4, mime: 'text/plain', width: 0, height: 0 };
const AT = '2026-01-05T09:00:00.000Z';

test('a corrected or deleted answer shows at once, marked', async () => {
  await talk();
  server.say('We open at eigth');
  await waitFor(() => expect(texts('.bubble .text').at(-1)).toBe('We open at eigth'));
  const late = change({ content: 'We open at eig', editedAt: AT });
  tell('message_changed', { message: change({ content: 'We open at https://eight.example', editedAt: AT }) });
  await waitFor(() => expect(texts('.bubble .text').at(-1)).toBe('We open at https://eight.exampleedited'));
  expect(find('.bubble .text a').getAttribute('href')).toBe('https://eight.example');
  tell('message_changed', { message: late });
  tell('message_changed', { message: change({ content: '', deletedAt: AT }) });
  await waitFor(() => expect(texts('.bubble .text').at(-1)).toBe('Message deleted'));
});

test('changes that were missed come with the next sync, once', async () => {
  await talk();
  server.say('Typo');
  await waitFor(() => expect(texts('.bubble .text').at(-1)).toBe('Typo'));
  server.changed = [change({ content: 'Corrected', editedAt: AT })];
  const asked = () =>
    server.asks.filter(([event]) => event === 'sync').map(([, ask]) => (ask as { afterEdit?: number }).afterEdit);
  server.io.of('/visitor').disconnectSockets(true);
  await waitFor(() => expect(texts('.bubble .text').at(-1)).toBe('Correctededited'));
  server.io.of('/visitor').disconnectSockets(true);
  await waitFor(() => expect(asked().at(-1)).toBe(1));
});

test('a teaser shows the corrected text, and goes with a deleted message', async () => {
  await talk();
  parley().close();
  server.say('Typo');
  await waitFor(() => expect(texts('.teaser .text')).toEqual(['Typo']));
  tell('message_changed', { message: change({ content: 'Corrected', editedAt: AT }) });
  await waitFor(() => expect(texts('.teaser .text')).toEqual(['Corrected']));
  tell('message_changed', { message: change({ content: '', deletedAt: AT }) });
  await waitFor(() => expect(texts('.teaser')).toEqual([]));
});

test('what the server refuses in English is told in the language of the chat', async () => {
  await talk('de');
  await openMenu();
  press('Löschen');
  server.refusal = 'CHAT_GONE';
  find('.choices .delete').click();
  await waitFor(() =>
    expect(texts('.choices .fault')).toEqual(['Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.']),
  );
});
