import { afterEach, beforeEach, expect, test } from 'vitest';
import { find, leave, parley, press, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const ITEM = 'Delete my data';
const QUESTION = 'This deletes your conversations and what the team knows of you. It cannot be undone.';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  await server.stop();
});

const said = () => texts('.bubble .text');
const questions = () => texts('[role=alertdialog] p:first-child');
const erasures = () => server.calls.filter((call) => call === 'DELETE /me');
const kept = () => Object.keys(localStorage);
const focused = () => document.querySelector('parley-widget')?.shadowRoot?.activeElement;

/** A visitor who has sent a message, and has a draft in the composer. */
async function talk(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => find('.composer'));
  write('Of Nora');
  await waitFor(() => expect(texts('.mine .state')).toEqual(['Sent']));
  parley().prefill('Half written');
  await waitFor(() => expect(localStorage.getItem(`parley:${server.code}:draft`)).toBe('Half written'));
}

async function ask(): Promise<void> {
  find('header .tool').click();
  await waitFor(() => expect(find('.menu').hidden).toBe(false));
  press(ITEM);
  await waitFor(() => expect(questions()).toEqual([QUESTION]));
}

async function isForgotten(): Promise<void> {
  await waitFor(() => expect(kept()).toEqual([]));
  expect(parley().isOpen()).toBe(false);
  await waitFor(() => expect(questions()).toEqual([]));
}

test('erasing asks for confirmation first, which takes the focus and returns it', async () => {
  await talk();
  for (const refuse of [
    () => press('Cancel'),
    () => focused()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })),
  ]) {
    await ask();
    expect(focused()).toBe(find('[role=alertdialog]'));
    refuse();
    expect(questions()).toEqual([]);
    expect(focused()).toBe(find('header .tool'));
  }
  expect(parley().isOpen()).toBe(true);
  expect(erasures()).toEqual([]);
  expect(said()).toEqual(['Hello!', 'Of Nora']);
});

test('after erasing, the visitor is a new one, here and on the server', async () => {
  await talk();
  await ask();
  press('Delete');
  await isForgotten();
  expect(erasures()).toHaveLength(1);
  parley().open();
  await waitFor(() => expect(said()).toEqual(['Hello!']));
  expect(find<HTMLTextAreaElement>('textarea').value).toBe('');
  write('Of somebody new');
  await waitFor(() => expect(server.senders).toEqual(['good', 'after-good']));
  expect(server.resumed).toEqual([undefined, undefined]);
});

test('the visitor is forgotten here after the answer, also when the server no longer knows the token', async () => {
  server.silent = true;
  visit(server);
  parley().open();
  for (const token of ['good', 'after-good']) {
    await waitFor(() => expect(localStorage.getItem(`parley:${server.code}:token`)).toBe(token));
    await ask();
    if (token !== 'good') server.token = 'of-nobody';
    press('Delete');
    await isForgotten();
    parley().open();
  }
});

test('a visitor who arrived before the answer is not erased by it', async () => {
  server.config.visitorPages = true;
  await talk();
  await ask();
  let letGo = () => {};
  server.heldErasure = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  press('Delete');
  const token = () => localStorage.getItem(`parley:${server.code}:token`);
  await waitFor(() => expect(token()).toBe('after-good'));
  letGo();
  // This request was sent later, so its answer comes later.
  for (let i = 0; i < 2; i++) await (await fetch(`${server.origin}/api/widget/${server.code}`)).text();
  expect(token()).toBe('after-good');
  expect(server.resumed).toEqual([undefined, undefined]);
});

test('a tab that learns of the erasure late keeps the visitor who arrived since', async () => {
  await talk();
  server.forget();
  server.token = 'of-somebody-new';
  localStorage.setItem(`parley:${server.code}:token`, server.token);
  const line = server.io.of('/visitor');
  line.emit('session_ended', { reason: 'erased' });
  line.disconnectSockets(true);
  await waitFor(() => expect(said()).toEqual(['Hello!']));
  expect(localStorage.getItem(`parley:${server.code}:token`)).toBe('of-somebody-new');
  expect(parley().isOpen()).toBe(true);
});

test('a failed erasure is shown, forgets nothing, and can be retried', async () => {
  await talk();
  await ask();
  server.firewall = true;
  press('Delete');
  await waitFor(() => expect(texts('[role=alert]')).toContain('That did not work. Please try again.'));
  expect(said()).toEqual(['Hello!', 'Of Nora']);
  expect(localStorage.getItem(`parley:${server.code}:token`)).toBe('good');
  server.firewall = false;
  press('Delete');
  await isForgotten();
});

test('erasing is not offered to a visitor the server does not know', async () => {
  server.firewall = true;
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => find('header .tool').click());
  await waitFor(() => expect(texts('[role=menuitem]')).toEqual(['Turn sound off']));
});
