import type { WidgetConfig } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

type Greeting = NonNullable<WidgetConfig['greetings']>[number];

const HELLO: Greeting = {
  id: 'aaaa0001',
  text: 'Can I help you to choose?',
  page: '',
  after: 0,
  visits: 'all',
  whileOnline: false,
  oncePerVisitor: false,
};
const HALF_AN_HOUR_MS = 30 * 60_000;

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  server.config.greetings = [HELLO];
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  vi.restoreAllMocks();
  await server.stop();
});

const teasers = () => texts('.teaser .lines');
const said = () => texts('.bubble .text');
const calls = (call: string) => server.calls.filter((each) => each === call).length;
const shown = () => calls('POST /greetings');
const isShown = (text: string) => waitFor(() => expect(teasers()).toEqual([`Corner Shop${text}`]));

/** Another page of the site, in the same browser. */
function goOn(address = '/'): void {
  leave();
  history.replaceState(null, '', address);
  visit(server);
}

/** The last visit was so long ago that the next page begins another one. */
function endVisit(): void {
  const key = 'parley:corner-shop:visit';
  const known = JSON.parse(localStorage.getItem(key) ?? '{}');
  localStorage.setItem(key, JSON.stringify({ ...known, at: Date.now() - HALF_AN_HOUR_MS }));
}

/** Waits until the engine has looked at this page: its last greeting, which applies to every page, shows. */
const MARK: Greeting = { ...HELLO, id: 'ffff0001', text: 'Nothing else.' };
async function nothingBut(greetings: Greeting[]): Promise<void> {
  server.config.greetings = [...greetings, MARK];
  visit(server);
  await isShown(MARK.text);
}

test('a greeting shows in the name of the site, is counted once, and nothing else reaches the server', async () => {
  visit(server);
  await isShown(HELLO.text);
  await waitFor(() => expect(shown()).toBe(1));
  goOn('/about');
  await isShown(HELLO.text);
  expect(shown()).toBe(1);
  expect(calls('POST /session')).toBe(0);
  expect(server.io.of('/visitor').sockets.size).toBe(0);
});

test('who opens it reads it in the chat, and only the answer opens a session and names the greeting', async () => {
  visit(server);
  await isShown(HELLO.text);
  find('.teaser .words').click();
  await waitFor(() => expect(said()).toEqual(['Hello!', HELLO.text]));
  expect(teasers()).toEqual([]);
  // On the next page the open panel still has it, and still nobody knows of the visitor.
  goOn('/about');
  parley().open();
  await waitFor(() => expect(said()).toEqual(['Hello!', HELLO.text]));
  expect(calls('POST /session')).toBe(0);

  write('Yes, please');
  await waitFor(() => expect(texts('.mine .state')).toEqual(['Sent']));
  expect(said()).toEqual(['Hello!', HELLO.text, 'Yes, please']);
  expect(server.messages.map(({ greeting }) => greeting)).toEqual([HELLO.text]);
  write('The blue one');
  await waitFor(() => expect(server.messages).toHaveLength(2));
  parley().close();
  goOn();
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  expect(teasers()).toEqual([]);
});

test('who left without an answer is connected as usual once the site has no greetings, or none for the page', async () => {
  visit(server);
  await isShown(HELLO.text);
  find('.teaser .words').click();
  await waitFor(() => expect(said()).toEqual(['Hello!', HELLO.text]));
  parley().close();
  endVisit();
  server.config.greetings = [{ ...HELLO, page: '/pricing' }];
  goOn('/about');
  parley().open();
  await waitFor(() => expect(calls('POST /session')).toBe(1));
  parley().close();
  leave();
  localStorage.clear();

  server.config.greetings = [HELLO];
  goOn();
  await isShown(HELLO.text);
  parley().close();
  delete server.config.greetings;
  goOn('/about');
  parley().open();
  await waitFor(() => expect(calls('POST /session')).toBe(2));
});

test('who closes it gets no greeting in that visit, and the same one again in the next', async () => {
  visit(server);
  await isShown(HELLO.text);
  find('.teaser .shut').click();
  expect(teasers()).toEqual([]);
  parley().open();
  await waitFor(() => expect(said()).toEqual(['Hello!']));
  await waitFor(() => expect(calls('POST /session')).toBe(1));
  parley().close();
  endVisit();
  goOn();
  await isShown(HELLO.text);
});

test('a greeting once per visitor does not come back in another visit', async () => {
  server.config.greetings = [{ ...HELLO, oncePerVisitor: true }];
  visit(server);
  await isShown(HELLO.text);
  leave();
  endVisit();
  await nothingBut([{ ...HELLO, oncePerVisitor: true }]);
});

test('a greeting for first visits, or for later ones, shows in these only', async () => {
  const later: Greeting = { ...HELLO, id: 'bbbb0001', text: 'Welcome back!', visits: 'returning' };
  server.config.greetings = [later, { ...HELLO, visits: 'first' }];
  visit(server);
  await isShown(HELLO.text);
  leave();
  endVisit();
  visit(server);
  await isShown(later.text);
});

test('a greeting shows on the pages whose address contains its text, after a change without a load, too', async () => {
  await nothingBut([{ ...HELLO, page: '/Pricing' }]);
  leave();
  localStorage.clear();
  server.config.greetings = [{ ...HELLO, page: '/Pricing' }];
  visit(server);
  await waitFor(() => find('.panel'));
  history.pushState(null, '', '/en/pricing?plan=team');
  await isShown(HELLO.text);
  history.pushState(null, '', '/about');
  await waitFor(() => expect(teasers()).toEqual([]));
});

test('a greeting waits for its seconds on the page', async () => {
  const now = vi.spyOn(Date, 'now');
  const began = Date.now();
  now.mockReturnValue(began);
  await nothingBut([{ ...HELLO, after: 60 }]);
  leave();
  localStorage.clear();
  server.config.greetings = [{ ...HELLO, after: 60 }];
  visit(server);
  await waitFor(() => expect(localStorage.getItem('parley:corner-shop:visit')).toBeNull());
  await waitFor(() => find('.panel'));
  expect(teasers()).toEqual([]);
  now.mockReturnValue(began + 61_000);
  await isShown(HELLO.text);
});

test('a greeting for times when somebody is online asks again whether somebody is, and says nothing otherwise', async () => {
  server.config.online = false;
  await nothingBut([{ ...HELLO, whileOnline: true }]);
  leave();
  localStorage.clear();

  // The page was loaded long ago: its config says what was true then.
  server.config.online = true;
  server.config.greetings = [{ ...HELLO, whileOnline: true, page: '/pricing' }];
  visit(server);
  await waitFor(() => find('.panel'));
  server.config.online = false;
  const before = calls('GET ');
  const later = Date.now() + HALF_AN_HOUR_MS;
  vi.spyOn(Date, 'now').mockReturnValue(later);
  history.pushState(null, '', '/pricing');
  await waitFor(() => expect(calls('GET ')).toBe(before + 1));
  expect(teasers()).toEqual([]);
  expect(shown()).toBe(1);
});
