import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importBundledPart } from '../src/bundled-parts.ts';
import type { ImportPart, Parts } from '../src/chat/context.ts';
import { find, leave, parley, press, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const FAILURE = 'No chat. Try again';
const PART_FAILURE = 'No part. Try again';

let server: StandIn;
beforeEach(async () => {
  server = await startStandIn();
  server.config.failure = { chat: FAILURE, part: PART_FAILURE };
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  leave();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  await server.stop();
});

/** Waits for a condition while the time of the page goes on. */
async function soon(check: () => unknown): Promise<void> {
  await waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    check();
  });
}

/** Opens a page on which the chat's script fails this many times. @returns the attempts so far */
function visitFailing(times: number): number[] {
  const attempts: number[] = [];
  visit(server, {}, importBundledPart, (attempt) => {
    attempts.push(attempt);
    if (attempts.length <= times) throw new TypeError('Failed to fetch');
  });
  return attempts;
}

test('who clicks a launcher whose chat does not load is told so, can try again, and it recovers by itself', async () => {
  const attempts = visitFailing(4);
  await soon(() => find('.launcher'));
  const launcher = find<HTMLButtonElement>('button.launcher');
  launcher.focus();
  await soon(() => expect(attempts).toHaveLength(1));
  expect(texts('[role=alert]')).toEqual([]);
  launcher.click();
  await soon(() => expect(texts('[role=alert]')).toEqual([FAILURE]));
  expect(launcher.getRootNode()).toMatchObject({ activeElement: launcher });
  const before = attempts.length;
  find('[role=alert]').click();
  expect(attempts).toHaveLength(before + 1);
  await soon(() => expect(texts('[role=alert]')).toEqual([]));
  expect(attempts).toEqual([0, 1, 2, 3, 4]);
  expect(parley().isOpen()).toBe(false);
  launcher.click();
  await soon(() => expect(find('.panel').hidden).toBe(false));
});

test('a conversation is resumed though the script failed at first', async () => {
  localStorage.setItem(`parley:${server.code}:on`, '1');
  localStorage.setItem(`parley:${server.code}:token`, 'good');
  const attempts = visitFailing(2);
  await soon(() => expect(attempts).toHaveLength(3));
  vi.useRealTimers();
  await waitFor(() => expect(server.asks.length).toBeGreaterThan(0));
});

/** Opens the chat on a page on which these parts fail once. @returns their attempts */
async function openFailing(...failing: (keyof Parts)[]): Promise<[string, number][]> {
  const attempts: [string, number][] = [];
  const load: ImportPart = async (name, attempt) => {
    if (failing.includes(name)) {
      attempts.push([name, attempt]);
      if (attempts.filter(([other]) => other === name).length === 1) throw new TypeError('Failed to fetch');
    }
    return importBundledPart(name, attempt);
  };
  visit(server, {}, load);
  parley().open();
  await soon(() => find('.panel'));
  return attempts;
}

test.each([
  ['emoji', 'Emoji', '.emoji'],
  ['menu', 'More', '.menu'],
  ['more-en', 'More', '.menu'],
] as const)(
  'where the part %s fails, a notice says so, and its button does what was wanted',
  async (part, label, drawn) => {
    const attempts = await openFailing(part);
    find(`button[aria-label="${label}"]`).click();
    await soon(() => expect(texts('.notice')).toEqual([PART_FAILURE]));
    press(PART_FAILURE);
    await soon(() => expect(find(drawn).hidden).toBe(false));
    expect(texts('.notice')).toEqual(['']);
    const [[, first = 0] = [], [, second] = []] = attempts;
    expect(second).toBe(first + 1);
  },
);

test('the notice of a part stays while other parts are used', async () => {
  await openFailing('emoji');
  find('button[aria-label="Emoji"]').click();
  await soon(() => expect(texts('.notice')).toEqual([PART_FAILURE]));
  find('button[aria-label="More"]').click();
  await soon(() => expect(find('.menu').hidden).toBe(false));
  expect(texts('.notice')).toEqual([PART_FAILURE]);
});

test('what could not be shown in the conversation is shown after a click on the notice', async () => {
  await openFailing('files');
  write('See https://example.com/a');
  await soon(() => expect(texts('.notice')).toEqual([PART_FAILURE]));
  press(PART_FAILURE);
  await soon(() => expect(texts('.text a')).toEqual(['https://example.com/a']));
});

test('who writes after a long outage is connected at once, and a server of the release before has no words for failures', async () => {
  server.config.failure = undefined as never;
  let isDown = true;
  const attempts: number[] = [];
  visit(server, {}, async (name, attempt) => {
    if (name === 'live') attempts.push(attempt);
    if (isDown && (name === 'live' || name === 'emoji')) throw new TypeError('Failed to fetch');
    return importBundledPart(name, attempt);
  });
  parley().open();
  await soon(() => expect(find('.lost').hidden).toBe(false));
  find('button[aria-label="Emoji"]').click();
  await soon(() => expect(texts('.notice')).toEqual(['Could not be loaded. Try again']));
  const hour = 3_600_000;
  await vi.advanceTimersByTimeAsync(hour);
  // Once a minute at least.
  expect(attempts.length).toBeGreaterThan(hour / 60_000 - 5);
  const { length } = attempts;
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts).toHaveLength(length + 1);
  isDown = false;
  write('Hello');
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts).toHaveLength(length + 2);
});

test('a language whose file failed is spoken as soon as it has come and nobody is writing', async () => {
  document.documentElement.lang = 'de';
  const attempts = await openFailing('de');
  expect(find('textarea').getAttribute('aria-label')).toBe('Write a message…');
  find('textarea').focus();
  await soon(() => expect(attempts.length).toBeGreaterThan(1));
  expect(find('textarea').getAttribute('aria-label')).toBe('Write a message…');
  find('textarea').blur();
  await soon(() => expect(find('textarea').getAttribute('aria-label')).toBe('Nachricht schreiben …'));
  document.documentElement.lang = '';
});
