import { type Message, withoutFormatting } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importBundledPart } from '../src/bundled-parts.ts';
import type { ImportPart } from '../src/chat/context.ts';
import { find, leave, parley, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const SOURCE = 'Hello **Vera**, *see* [our guide](https://a.example/x):\n- run `npm i`\n- ask <b>me</b>';
const SHOWN =
  '<p dir="auto">Hello <strong>Vera</strong>, <em>see</em> <a href="https://a.example/x" target="_blank" rel="noopener nofollow">our guide</a>:</p>' +
  '<ul dir="auto"><li>run <code>npm i</code></li><li>ask &lt;b&gt;me&lt;/b&gt;</li></ul>';

let server: StandIn;
/** Which parts were loaded. */
let loaded: string[];
/** Loads fail. */
let isCutOff: boolean;

const load: ImportPart = async (name) => {
  if (isCutOff && name === 'formatting') throw new Error('cut off');
  loaded.push(name);
  return importBundledPart(name, 0);
};

beforeEach(async () => {
  server = await startStandIn();
  loaded = [];
  isCutOff = false;
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

const tell = (event: string, message: Message) => server.io.of('/visitor').emit(event, { message });
const html = () => find('.bubble:not(.mine):last-of-type .text').innerHTML.replace(/ class=""/g, '');

/** Opens the widget, and lets the visitor write. */
async function talk(): Promise<Message> {
  visit(server, { language: 'en' }, load);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(server.asks.some(([event]) => event === 'sync')).toBe(true));
  write('Hello');
  await waitFor(() => expect(texts('.mine .state')).toEqual(['Sent']));
  return server.messages[0] as Message;
}

/** The answer of an agent, as the server tells of it. */
function answer(first: Message, content: string, more: Partial<Message> = {}): Message {
  const text = more.formatted ? withoutFormatting(content) : content;
  const sent = { ...first, sender: 'agent' as const, senderName: 'Ana', content, text, ...more };
  return { ...sent, _id: 'answer', clientId: 'answer', seq: 2 };
}

test('a formatted answer is drawn by a part that no other message loads', async () => {
  const first = await talk();
  tell('new_message', { ...answer(first, 'https://a.example **plain**'), _id: 'plain', clientId: 'plain' });
  await waitFor(() => expect(texts('.bubble:not(.mine) a')).toEqual(['https://a.example']));
  expect(loaded).not.toContain('formatting');
  tell('new_message', { ...answer(first, SOURCE, { formatted: true }), seq: 3 });
  await waitFor(() => expect(html()).toBe(SHOWN));
  expect(loaded.filter((name) => name === 'formatting')).toHaveLength(1);
});

test('a correction adds formatting and takes it away while the chat is open', async () => {
  const first = await talk();
  tell('new_message', answer(first, 'plain'));
  await waitFor(() => expect(texts('.bubble:not(.mine) .text').at(-1)).toBe('plain'));
  const editedAt = new Date().toISOString();
  tell('message_changed', answer(first, '1. **one**', { formatted: true, edit: 1, editedAt }));
  const mark = '<i>edited</i>';
  await waitFor(() => expect(html()).toBe(`<ol dir="auto"><li value="1"><strong>one</strong></li></ol>${mark}`));
  tell('message_changed', answer(first, '**plain** again', { formatted: false, edit: 2, editedAt }));
  await waitFor(() => expect(html()).toBe(`**plain** again${mark}`));
});

test('where the part cannot be loaded, the words show without formatting', async () => {
  isCutOff = true;
  const first = await talk();
  tell('new_message', answer(first, 'a **b** https://a.example', { formatted: true }));
  await waitFor(() => expect(texts('.bubble:not(.mine) a')).toEqual(['https://a.example']));
  expect(texts('.bubble:not(.mine) .text').at(-1)).toBe('a b https://a.example');
});

test('the teaser of a formatted answer has its words only', async () => {
  const first = await talk();
  parley().close();
  tell('new_message', answer(first, '**Can** I _help_?', { formatted: true }));
  await waitFor(() => expect(texts('.teaser .lines')).toEqual(['AnaCan I help?']));
});
