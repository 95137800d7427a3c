import { afterAll, beforeAll, expect, test } from 'vitest';
import { meetIn, type People } from './harness/owner-and-visitor.ts';
import { openShop } from './harness/shop.ts';

const ROUNDS = 3;
/** Messages of each side that are being sent when the server dies. */
const BURST = 6;
/** Both sides retry with backoff. */
const ARRIVAL_TIMEOUT_MS = 120_000;

let people: People;
beforeAll(async () => {
  people = await meetIn(await openShop());
});
afterAll(() => people.stop());

test('when the server is killed in a conversation, every message arrives exactly once and in order', async () => {
  const { parley, staff, visitor } = people;
  const { inbox } = staff;
  const { widget } = visitor;
  await widget.open();
  await widget.send('Question 0');
  await expect.poll(inbox.rows).toHaveLength(1);
  await inbox.openChat(0);
  await expect.poll(inbox.messages).toEqual(['Question 0']);

  const questions = ['Question 0'];
  const answers: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const asked = Array.from({ length: BURST }, (_, i) => `Question ${round}.${i}`);
    const answered = Array.from({ length: BURST }, (_, i) => `Answer ${round}.${i}`);
    const half = BURST / 2;
    const writing = [writeAll(widget.send, asked.slice(0, half)), writeAll(inbox.send, answered.slice(0, half))];
    await parley.kill9();
    await Promise.all(writing);
    // Written while the server is down.
    await Promise.all([writeAll(widget.send, asked.slice(half)), writeAll(inbox.send, answered.slice(half))]);
    await parley.restart();
    questions.push(...asked);
    answers.push(...answered);
  }

  const count = questions.length + answers.length;
  await expect.poll(widget.messages, { timeout: ARRIVAL_TIMEOUT_MS }).toHaveLength(count);
  await expect.poll(widget.state, { timeout: ARRIVAL_TIMEOUT_MS }).toMatch(/Delivered|Read/);
  await expect.poll(inbox.messages, { timeout: ARRIVAL_TIMEOUT_MS }).toEqual(await widget.messages());
  const seen = await widget.messages();
  expect(seen.filter((text) => text.startsWith('Question'))).toEqual(questions);
  expect(seen.filter((text) => text.startsWith('Answer'))).toEqual(answers);
});

test('the stored messages are those that were shown', async () => {
  const { staff, visitor } = people;
  const seen = await visitor.widget.messages();
  await Promise.all([staff.page.reload(), visitor.page.reload()]);
  await expect.poll(visitor.widget.messages).toEqual(seen);
  await expect.poll(staff.inbox.messages).toEqual(seen);
});

async function writeAll(send: (text: string) => Promise<void>, texts: readonly string[]): Promise<void> {
  for (const text of texts) await send(text);
}
