import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const PATIENCE_MS = 5_000;

let server: StandIn;
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

beforeEach(async () => {
  server = await startStandIn();
});
afterEach(async () => {
  vi.useRealTimers();
  leave();
  warn.mockClear();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  await server.stop();
});

/** The page draws the element. */
function draw(): HTMLElement {
  const element = document.createElement('div');
  element.id = 'chat';
  document.body.append(element);
  return element;
}

const widget = () => document.querySelector<HTMLElement>('parley-widget');
const isIn = (element: HTMLElement) =>
  waitFor(() => {
    expect(widget()?.parentElement).toBe(element);
    expect(find('.panel').hidden).toBe(false);
    expect(parley().isOpen()).toBe(true);
  });
const isAsUsual = () =>
  waitFor(() => {
    expect(widget()?.parentElement).toBe(document.documentElement);
    expect(widget()?.dataset.inline).toBeUndefined();
    expect(find('.panel').hidden).toBe(true);
    expect(find('.launcher').hidden).toBe(false);
  });

test('the panel stands open in the element, and nothing closes it', async () => {
  const element = draw();
  visit(server, { inline: '#chat' });
  await isIn(element);
  expect(find('.launcher').hidden).toBe(true);
  expect(find('.panel').getAttribute('aria-modal')).toBe('false');
  find('.panel').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  parley().close();
  await isIn(element);
  write('Is anybody there?');
  await waitFor(() => expect(server.messages.map(({ content }) => content)).toEqual(['Is anybody there?']));
  // On the next page without the element, the visitor has opened nothing.
  expect(sessionStorage.getItem('parley:corner-shop:open')).toBe('');
});

test('an element that the page draws late, removes and draws again is followed', async () => {
  visit(server, { inline: '#chat' });
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  expect(find('.launcher').hidden).toBe(true);
  const first = draw();
  await isIn(first);
  first.remove();
  await isAsUsual();
  await isIn(draw());
  expect(warn).not.toHaveBeenCalled();
});

test.each(['#chat', '##'])(
  'where %s selects nothing, the launcher shows after a while, and the page is warned',
  async (inline) => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
    visit(server, { inline });
    await waitFor(() => expect(find('.panel').hidden).toBe(true));
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await isAsUsual();
    expect(warn.mock.calls).toEqual([[`Parley: no element ${inline}.`]]);
  },
);

test('body stands for the whole window', async () => {
  visit(server, { inline: 'body' });
  await isIn(document.documentElement);
  expect(widget()?.dataset.inline).toBe('page');
});

test('it stays in the element in another language, and for another visitor', async () => {
  const element = draw();
  visit(server, { inline: '#chat' });
  await isIn(element);
  parley().setLanguage('ar');
  await waitFor(() => expect(find('.stage').dir).toBe('rtl'));
  await isIn(element);
});
