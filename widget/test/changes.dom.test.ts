import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, texts, visit, write } from './page.ts';
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
async function talk(): Promise<string> {
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(server.asks.some(([event]) => event === 'sync')).toBe(true));
  write('Hello');
  await waitFor(() => expect(texts('.mine .state')).toEqual(['Sent']));
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
