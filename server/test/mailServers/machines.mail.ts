import type { Email } from 'postal-mime';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { UserModel, userCache } from '../../src/features/auth/model.ts';
import { until } from '../factories.ts';
import { rawMail } from '../mails.ts';
import { type Answering, answering, mailsTo, post, replyAddress, startAnswering } from './answering.ts';
import { MEMBER, ON_HOLIDAY } from './mailHost.ts';

const ROUNDS = 1_000;
/** Recipients of one mail: Postfix hands it over to each by itself. */
const AT_ONCE = 50;
const ANSWERS_MAX = 3;
const MINUTE_MS = 60_000;
const VACATION = `require ["vacation", "vacation-seconds"];
vacation :seconds 0 :addresses ["${ON_HOLIDAY}"] "I am away until Monday.";
`;

let parley: Answering;
beforeAll(async () => {
  parley = await startAnswering('lmtp', { rateLimits: true, limits: { mailsInPerChat: ANSWERS_MAX } });
});
afterEach(() => {
  parley.outcomes.length = 0;
});
afterAll(() => parley.stop());

const contentsOf = async (of: Parameters<Answering['thread']>[0]) =>
  (await parley.thread(of)).filter(({ sender }) => sender === 'visitor').map(({ content }) => content);
const sentByParley = () => parley.host.postfix.log().match(/from=<chat@parley\.test>/g)?.length ?? 0;

test('two machines that do not say so, one of a visitor and one of a member who answers by mail, come to an end', async () => {
  const { server, owner, host } = parley;
  await UserModel.updateOne({ _id: owner.user._id }, { email: MEMBER });
  userCache.forget(owner.user._id);
  const set = { section: 'notifications', data: { answerByMail: true } };
  await server.api('PATCH /settings', { token: owner.token, body: set });
  const of = await parley.asked('mina+loop@visitor.test');
  const answered = new Set<string | undefined>();
  let round = 0;
  /** Answers the next mail to this address. @returns what became of the answer */
  async function machine(email: string) {
    const isNew = ({ messageId, replyTo }: Email) => replyTo?.length === 1 && !answered.has(messageId);
    const mail = await until(async () => {
      server.advance(MINUTE_MS);
      return (await mailsTo(host, email)).filter(isNew).at(-1);
    });
    answered.add(mail.messageId);
    const before = parley.outcomes.length;
    await post(host, { ...answering(mail, { text: `I am away. Your number is ${++round}.` }), from: email }, email);
    return until(async () => parley.outcomes[before]);
  }
  const outcomes: (string | undefined)[] = [];
  while (outcomes.at(-1) !== 'refused' && outcomes.length < 20)
    outcomes.push((await machine(outcomes.length % 2 ? of.email : MEMBER)).end);
  // Each of them is taken at its word so often within an hour; a mail that is no message calls for no other.
  expect(outcomes).toEqual([...Array(2 * ANSWERS_MAX).fill('added'), 'refused']);
});

test('a vacation of Sieve: no message and no mail, in a thousand rounds', async () => {
  const { host } = parley;
  host.dovecot.sieve('vera', VACATION);
  const of = await parley.asked(ON_HOLIDAY);
  const mail = await parley.mailed(of, 'It is back.');
  const sent = sentByParley();
  // The mail says that a machine has sent it, so the vacation does not answer. Without that, it does.
  const address = replyAddress(mail);
  const people = Array.from({ length: AT_ONCE }, (_, i) => `vera+${i}@visitor.test`);
  const begun = performance.now();
  for (let i = 0; i < ROUNDS; i += AT_ONCE)
    await host.send(rawMail({ from: address, to: ON_HOLIDAY, subject: mail.subject ?? '' }), people, address);
  await expect.poll(() => parley.outcomes.length, { timeout: 5 * MINUTE_MS }).toBe(ROUNDS);
  console.log(`${ROUNDS} vacation answers in ${Math.round(performance.now() - begun)} ms`);
  expect(new Set(parley.outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
    new Set([JSON.stringify({ end: 'refused', reason: 'automatic' })]),
  );
  expect(await contentsOf(of)).toEqual(['Is it back?']);
  expect(sentByParley()).toBe(sent);
});

test.each([
  ['same', () => 'I am away.', 1],
  ['other', (i: number) => `I am away. Your number is ${i}.`, ANSWERS_MAX],
])('a machine that does not say so, and answers with %s words each time, is stopped', async (name, wordsOf, taken) => {
  const of = await parley.asked(`mina+${name}@visitor.test`);
  const mail = await parley.mailed(of, 'It is back.');
  const sent = sentByParley();
  const answers = Array.from({ length: ANSWERS_MAX + 2 }, (_, i) => answering(mail, { text: wordsOf(i) }));
  for (const answer of answers) await post(parley.host, answer);
  await expect.poll(() => parley.outcomes).toHaveLength(answers.length);
  expect(await contentsOf(of)).toHaveLength(1 + taken);
  expect(sentByParley()).toBe(sent);
});
