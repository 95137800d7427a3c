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

const said = () => texts('.bubble .text');
const states = () => texts('.mine .state');
const asked = (event: string) => server.asks.filter(([name]) => name === event).map(([, ask]) => ask);
const tell = (event: string, fact: object) => server.io.of('/visitor').emit(event, fact);

async function open(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
}

async function talk(text = 'Hello'): Promise<string> {
  await open();
  write(text);
  await waitFor(() => expect(states()).toEqual(['Sent']));
  return server.messages[0]?.chatId ?? '';
}

async function more(item: string): Promise<void> {
  find('header .tool').click();
  await waitFor(() => press(item));
}

test('each side sees the other typing', async () => {
  await talk();
  tell('typing', { name: 'Ana', isTyping: true });
  await waitFor(() => expect(texts('.typing')).toEqual(['Ana is typing…']));
  server.say('Hi.');
  await waitFor(() => expect(texts('.typing')).toEqual(['']));

  server.asks.length = 0;
  const input = find<HTMLTextAreaElement>('textarea');
  for (const text of ['W', 'Wh', 'Why']) {
    input.value = text;
    input.dispatchEvent(new Event('input'));
  }
  await waitFor(() => expect(asked('typing')).toEqual([{ isTyping: true }]));
  input.value = '';
  input.dispatchEvent(new Event('input'));
  await waitFor(() => expect(asked('typing')).toEqual([{ isTyping: true }, { isTyping: false }]));
});

test('the header shows the usual response time and the avatars of the team', async () => {
  Object.assign(server.config, { usualReplyMinutes: 130, logo: '/api/files/logo' });
  await talk();
  expect(texts('.status')).toEqual(['Usually replies in 2 hours']);
  expect(find<HTMLImageElement>('.face img').src).toBe(`${server.origin}/api/files/logo`);
  server.claim({ name: 'Ana María Ruiz', avatar: '/api/files/ana' });
  await waitFor(() => expect(find<HTMLImageElement>('.face img').src).toBe(`${server.origin}/api/files/ana`));
  find('.face img').dispatchEvent(new Event('error'));
  expect(texts('.face')).toEqual(['AR']);
});

test('earlier chats are loaded one after the other', async () => {
  await talk('one');
  for (const text of ['two', 'three', 'four', 'five', 'six']) server.say(text);
  server.close();
  leave();
  server.newestOnly = 2;
  server.asks.length = 0;
  await open();
  await waitFor(() => expect(said()).toEqual(['Hello!', 'one', 'two', 'three', 'four', 'five', 'six']));
  expect(asked('sync').filter((ask) => 'beforeSeq' in ask)).toHaveLength(2);
});

test('the end of a chat waits for the texts that were written before it', async () => {
  await talk();
  server.silent = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  write('Goodbye');
  await waitFor(() => expect(asked('send_message')).toHaveLength(2));
  await more('End chat');
  server.silent = false;
  const events = () => server.asks.map(([name]) => name).filter((name) => /send_message|close_chat/.test(name));
  await waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(events()).toContain('close_chat');
  });
  vi.useRealTimers();
  expect(events()).toEqual(['send_message', 'send_message', 'send_message', 'close_chat']);
});

test('an emoji is inserted at the cursor', async () => {
  await open();
  const input = find<HTMLTextAreaElement>('textarea');
  input.value = 'ab';
  input.setSelectionRange(1, 1);
  find('[aria-label="Emoji"]').click();
  await waitFor(() => press('👍'));
  expect(input.value).toBe('a👍b');
  expect(find('.emoji').hidden).toBe(true);
});

test('the visitor ends the chat, rates it and requests a copy by mail', async () => {
  const heard: string[] = [];
  await open();
  parley().on('chat:started', () => heard.push('started'));
  parley().on('chat:closed', () => heard.push('closed'));
  write('Hello');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  const chatId = server.messages[0]?.chatId;
  await more('End chat');
  await waitFor(() => expect(asked('close_chat')).toEqual([{ chatId }]));
  server.close();
  tell('chat_closed', { chatId });
  await waitFor(() => expect(texts('legend')).toEqual(['How was this chat?']));
  expect(heard).toEqual(['started', 'closed']);

  find<HTMLInputElement>('.star:nth-of-type(4) input').click();
  find<HTMLTextAreaElement>('.card textarea').value = 'Quick';
  press('Send comment');
  const rating = { chatId, score: 4 };
  await waitFor(() => expect(asked('rate')).toEqual([rating, { ...rating, comment: 'Quick' }]));
  await waitFor(() => expect(texts('.notice')).toEqual(['Thank you for your rating.']));
  expect(texts('legend')).toEqual([]);

  server.say('Hello.');
  await waitFor(() => expect(said()).toContain('Hello.'));
  await more('Send transcript by email');
  find<HTMLInputElement>('.card input').value = 'mina@example.com';
  press('Send transcript by email');
  await waitFor(() => expect(texts('.notice')).toEqual(['The copy is on its way.']));
  expect(server.calls).toContain('POST /transcript');
});

test('a copy by mail is offered when there is an answer and mail is enabled', async () => {
  const items = async () => {
    find('header .tool').click();
    await waitFor(() => expect(texts('[role=menuitem]')).toContain('End chat'));
    const shown = texts('[role=menuitem]');
    find('header .tool').click();
    return shown;
  };
  await talk();
  expect(await items()).not.toContain('Send transcript by email');
  server.say('Hi.');
  await waitFor(() => expect(said()).toContain('Hi.'));
  expect(await items()).toContain('Send transcript by email');
  tell('config_changed', { config: { ...server.config, mail: false, buttonText: 'Now' } });
  await waitFor(() => expect(texts('.launcher .label')).toEqual(['Now']));
  expect(await items()).not.toContain('Send transcript by email');
});

test('a chat returned to the queue shows no agent', async () => {
  await talk();
  server.claim({ name: 'Ana', avatar: null });
  await waitFor(() => expect(texts('.status')).toEqual(['Talking with Ana']));
  server.handBack();
  await waitFor(() => expect(texts('.status')).not.toEqual(['Talking with Ana']));
});

/** Visits a page whose widget connects although nobody has opened it. */
async function lookOn(): Promise<void> {
  server.config.visitorPages = true;
  visit(server);
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
}

const teasers = () => texts('.teaser .lines');

test('a chat started by an agent shows as a teaser that never takes the focus, and opens on a click', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  await lookOn();
  server.say('Can I help?');
  await waitFor(() => expect(teasers()).toEqual(['AnaCan I help?']));
  await waitFor(() => expect(texts('.spoken')).toContain('New message. Ana: Can I help?'));
  expect(parley().isOpen()).toBe(false);
  expect(document.activeElement).toBe(field);
  server.say('Still there?');
  await waitFor(() => expect(teasers()).toEqual(['AnaStill there?']));
  find('.teaser .words').click();
  await waitFor(() => expect(said().slice(-2)).toEqual(['Can I help?', 'Still there?']));
  await waitFor(() => expect(teasers()).toEqual([]));
  parley().close();
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  expect(teasers()).toEqual([]);
  field.remove();
});

test('an unread answer shows again on the next page, until it is closed, and then the next answer shows', async () => {
  await talk();
  parley().close();
  server.say('We have it in blue.');
  await waitFor(() => expect(teasers()).toEqual(['AnaWe have it in blue.']));
  leave();
  visit(server);
  await waitFor(() => expect(teasers()).toEqual(['AnaWe have it in blue.']));

  find('.teaser .shut').click();
  expect(teasers()).toEqual([]);
  leave();
  visit(server);
  await waitFor(() => expect(texts('.badge')).toEqual(['1']));
  expect(teasers()).toEqual([]);
  server.say('And in red.');
  await waitFor(() => expect(teasers()).toEqual(['AnaAnd in red.']));
});

test('a teaser that is closed in one tab goes away in the others', async () => {
  await talk();
  parley().close();
  server.say('Hello?');
  await waitFor(() => expect(teasers()).toHaveLength(1));
  localStorage.setItem('parley:corner-shop:shut', `${server.messages[0]?.chatId}2`);
  window.dispatchEvent(new StorageEvent('storage', { key: 'parley:corner-shop:shut' }));
  expect(teasers()).toEqual([]);
});

test('a blocked visitor sees it, and keeps the text', async () => {
  await open();
  server.refusal = 'BLOCKED';
  write('Hello');
  await waitFor(() => expect(texts('.notice')).toEqual(['You can no longer send messages here.']));
  expect(texts('.why')).toEqual(['Not sent. You can no longer send messages here.']);
  expect(find<HTMLButtonElement>('.send').disabled).toBe(true);
});

test('the words of the server, which are English, are shown in English only', async () => {
  visit(server, { language: 'de' });
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => find('.composer textarea'));
  server.refusal = 'SITE_FULL';
  write('Hallo');
  await waitFor(() => expect(texts('.mine .foot')).toEqual(['Nicht gesendet. Erneut sendenLöschen']));
  leave();
  visit(server);
  await waitFor(() => expect(texts('.mine .foot')).toEqual(['Not sent. No.RetryDelete']));
});

test('an erased visitor is forgotten in the widget', async () => {
  await talk();
  server.forget();
  tell('session_ended', { reason: 'erased' });
  await waitFor(() => expect(Object.keys(localStorage)).toEqual([]));
  expect(parley().isOpen()).toBe(false);
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
});

test('an unseen answer shows in the title of a hidden page', async () => {
  document.title = 'Shop';
  await talk();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  server.say('Hi.');
  await waitFor(() => expect(document.title).toBe('New message · Ana'));
  // What the team sees of the page is its own title.
  parley().setPage({ url: '/shop' });
  await waitFor(() => expect(asked('page')).toMatchObject([{ title: 'Shop' }]));
  // The page's router goes on.
  document.title = 'Basket';
  await waitFor(() => expect(document.title).toBe('New message · Ana'));
  await waitFor(() => expect(document.title).toBe('Basket'));
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(document.title).toBe('Basket');
});
