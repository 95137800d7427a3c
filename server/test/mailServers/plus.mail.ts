import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answering, answering, answerOf, post, startAnswering } from './answering.ts';
import { PARLEY } from './mailHost.ts';

const CHECK_MS = 90_000;
const NOTHING_MORE = { isOver: true, plus: null, plain: { via: 'imap' } };
let parley: Answering;

describe.each([
  { plus: 'refused', words: 'refuses plus addresses' },
  { plus: 'reported', words: 'takes plus addresses and sends the mails back' },
] as const)('a mail server that $words', ({ plus }) => {
  beforeEach(async () => {
    parley = await startAnswering('imap', { plus });
  });
  afterEach(() => parley.stop());

  test('the self-check says that only the address alone works; an answer there is recognised by what it answers', async () => {
    const state = await parley.checked();
    await expect.poll(state).toMatchObject({ plain: { via: 'imap' } });
    if (plus === 'reported') parley.server.advance(CHECK_MS);
    expect(await state()).toMatchObject(NOTHING_MORE);

    const of = await parley.asked();
    const mail = await parley.mailed(of, 'It is back.');
    await post(parley.host, { ...answerOf(mail, 'Fine, I come by.', 'gmail', 'en'), to: PARLEY });
    await expect.poll(() => parley.thread(of)).toHaveLength(3);
    expect((await parley.thread(of)).at(-1)).toMatchObject({ sender: 'visitor', content: 'Fine, I come by.' });
  });
});

describe('a mail server that puts all mails of a domain into one mailbox', () => {
  beforeEach(async () => {
    parley = await startAnswering('imap', { plus: 'catchAll' });
  });
  afterEach(() => parley.stop());

  test('the self-check says that both addresses work, and so does an answer', async () => {
    const state = await parley.checked();
    await expect.poll(state).toMatchObject({ isOver: true, plus: { via: 'imap' }, plain: { via: 'imap' } });
    const of = await parley.asked();
    await post(
      parley.host,
      answering(await parley.mailed(of, 'It is back.'), { text: 'Fine', inReplyTo: '', references: [] }),
    );
    await expect.poll(async () => (await parley.thread(of)).at(-1)?.content).toBe('Fine');
  });
});
