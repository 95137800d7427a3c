import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NoticeModel } from '../../src/features/notify/model.ts';
import { until } from '../factories.ts';
import { rawMail } from '../mails.ts';
import { connectStaff } from '../sockets.ts';
import { type Answering, type Asked, startAnswering } from './answering.ts';
import { AWAY, PARLEY, VISITOR } from './mailHost.ts';

const NOBODY = 'nobody@visitor.test';
let parley: Answering;
let desk: Awaited<ReturnType<typeof connectStaff>>;
beforeAll(async () => {
  parley = await startAnswering('lmtp');
  desk = await connectStaff(parley.server.url, parley.owner.token);
});
beforeEach(() => {
  parley.outcomes.length = 0;
});
afterAll(() => parley.stop());

/** How often Postfix was given a mail to this address. */
const sentTo = (email: string) =>
  new Set(parley.host.postfix.log().match(new RegExp(`\\w+(?=: to=<${email}>)`, 'g'))).size;
const bounced = async ({ chatId }: Asked) => (await desk.ask('open_chat', { chatId })).visitor.bounced;

test("Postfix's report about an unknown user marks the address, and nothing more is mailed there", async () => {
  const of = await parley.asked(NOBODY);
  await parley.answer(of, 'It is back.');
  await expect.poll(() => bounced(of)).toMatchObject({ status: '5.1.1' });
  expect(parley.outcomes).toEqual([{ end: 'bounce' }]);
  await parley.answer(of, 'Are you still there?');
  await until(() => NoticeModel.exists({ _id: `${of.chatId}:answer`, doneAt: { $exists: true } }));
  expect(sentTo(NOBODY)).toBe(1);
});

test('a report that a mail waits says nothing about the address', async () => {
  const of = await parley.asked(`mina@${AWAY}`);
  await parley.answer(of, 'It is back.');
  await expect.poll(() => parley.outcomes).toEqual([{ end: 'refused', reason: 'report' }]);
  expect(await bounced(of)).toBeUndefined();
});

test('a report about a mail that Parley never sent says nothing, whoever is named in it', async () => {
  const of = await parley.asked(VISITOR);
  const mail = await parley.mailed(of, 'It is back.');
  const forged = { from: `Corner Shop <${PARLEY}>`, to: VISITOR, subject: mail.subject ?? '' };
  await parley.host.send(rawMail(forged), NOBODY, PARLEY);
  await expect.poll(() => parley.outcomes).toEqual([{ end: 'refused', reason: 'report' }]);
  expect(await bounced(of)).toBeUndefined();
});
