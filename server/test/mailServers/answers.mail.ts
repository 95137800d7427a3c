import { randomBytes } from 'node:crypto';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StaffMessage } from '../../contract.ts';
import {
  type Answering,
  type Asked,
  answering,
  answerOf,
  mailsTo,
  post,
  replyAddress,
  startAnswering,
} from './answering.ts';
import { PARLEY } from './mailHost.ts';

const FILE_BYTES = 10 * 1024 * 1024;
const PARTS = 10_000;
const OWN = 'Yes, I take two of them.\nCan I come by at six?';
const WAYS = [
  ['imap', 'gmail', 'en', 'top'],
  ['lmtp', 'outlookDesktop', 'de', 'top'],
  ['smtp', 'apple', 'ar', 'bottom'],
] as const;

describe.each(WAYS)('by %s', (door, client, language, style) => {
  let parley: Answering;
  let of: Asked;
  let mail: Email;
  beforeAll(async () => {
    parley = await startAnswering(door);
    of = await parley.asked();
    mail = await parley.mailed(of, 'It is back, in *blue* and in green.');
  });
  afterAll(() => parley.stop());

  const message = async (isIt: (message: StaffMessage) => boolean) => {
    const found = async () => (await parley.thread(of)).find(isIt);
    await expect.poll(found).toBeDefined();
    return (await found()) ?? expect.fail();
  };

  test('what a visitor writes is in the chat, and nothing else; the next answer is mailed, too', async () => {
    await post(parley.host, answerOf(mail, OWN, client, language, style));
    await expect.poll(() => parley.thread(of)).toHaveLength(3);
    expect((await parley.thread(of)).at(-1)).toMatchObject({ sender: 'visitor', content: OWN, mail: {} });
    await parley.mailed(of, 'Come by at half past five.');
    expect(await mailsTo(parley.host, of.email)).toHaveLength(2);
  });

  test('the self-check finds that both addresses work', async () => {
    const state = await parley.checked();
    await expect.poll(state).toMatchObject({ isOver: true, plus: { via: door }, plain: { via: door } });
  });

  test('Japanese of old mail programs, and headers of eight bits', async () => {
    const to = replyAddress(mail);
    const thanks = Buffer.from('1b24422422246a242c244824261b2842', 'hex').toString('latin1');
    const headers = [
      `From: M\xfcller <${of.email}>`,
      `To: ${to}`,
      `Subject: ${Buffer.from('Grüße').toString('latin1')}`,
      'Message-ID: <japanese@visitor.test>',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=ISO-2022-JP',
      'Content-Transfer-Encoding: 7bit',
    ];
    await parley.host.send(Buffer.from([...headers, '', thanks].join('\r\n'), 'latin1'), to);
    const stored = await message(({ content }) => content === 'ありがとう');
    expect(await parley.wholeMail(of, stored)).toMatchObject({ from: null, subject: 'Grüße' });
  });

  test('a file of ten megabytes, and one of Outlook', async () => {
    const files = [
      { name: 'film.bin', content: randomBytes(FILE_BYTES) },
      { name: 'winmail.dat', content: Buffer.from('789f3e22', 'hex'), type: 'application/ms-tnef' },
    ];
    await post(parley.host, answering(mail, { text: 'See the film', files }));
    await message(({ content }) => content === 'winmail.dat');
    expect(await message(({ content }) => content === 'film.bin')).toMatchObject({ file: { size: FILE_BYTES } });
    await message(({ content }) => content === 'See the film');
  });

  test('a mail of ten thousand parts', async () => {
    const parts = Array.from({ length: PARTS }, (_, i) => `Content-Type: application/x-part; name="${i}"\n\n${i}\n`);
    await post(parley.host, answering(mail, { text: 'Many things', parts }));
    const stored = await message(({ content }) => content === 'Many things');
    expect((await parley.wholeMail(of, stored)).text).toContain('[30]');
  });

  if (door === 'imap') return sharesTheMailbox();

  test('an address that does not exist is refused before the mail is taken', async () => {
    const unknown = `chat+${'a'.repeat(26)}@parley.test`;
    const refusal = await post(parley.host, answering(mail, { to: unknown })).catch((error) => error);
    expect(refusal.responseCode).toBe(550);
    expect(await parley.host.postfix.queued()).toBe(0);
  });

  function sharesTheMailbox() {
    test('mails of others in the same mailbox stay there, unread', async () => {
      const { host } = parley;
      await post(host, { to: PARLEY, subject: 'Lunch' });
      await post(host, answering(mail, { text: 'After the lunch' }));
      await message(({ content }) => content === 'After the lunch');
      await expect.poll(() => host.mails('chat', 'INBOX')).toEqual([expect.stringContaining('Subject: Lunch')]);
      expect(await host.dovecot.doveadm('fetch', '-u', 'chat', 'flags', 'mailbox', 'INBOX')).not.toContain('Seen');
      await expect.poll(async () => (await host.mails('chat', 'Parley')).at(-1)).toContain('QWZ0ZXIgdGhlIGx1bmNo');
    });
  }
});
