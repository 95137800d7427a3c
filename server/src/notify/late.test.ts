import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '../../test/factories.ts';
import { startServer } from '../../test/harness.ts';
import { mailingInto, startMailbox } from '../../test/mailbox.ts';
import { connectStaff, hangUp } from '../../test/sockets.ts';
import { MailModel } from '../mail/model.ts';
import { NoticeModel } from './model.ts';

const MINUTE_MS = 60_000;
const DAYS_MS = 4 * 24 * 60 * MINUTE_MS;
/** Work that is due, whichever kind. */
const DUE = { dueAt: { $exists: true } };

test('notices and mails that waited for days, as in a restored backup, are not sent; new ones are', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-late-'));
  const box = await startMailbox();
  const settings = { ...mailingInto(box), dataDir };
  const before = await startServer(settings);
  const owner = await signUp(before.api, 'Olga');
  const site = await createSite(before.api, owner.token, 'Shop');
  await until(async () => !(await MailModel.exists(DUE)));
  // With somebody online, nothing is due within a minute.
  await connectStaff(before.url, owner.token);
  box.refuse(451);
  await before.api('POST /team/invites', { token: owner.token, body: { siteId: site._id, email: 'old@example.com' } });
  const vera = await visit(before.api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  const answered = await say(before.api, site, vera, 'Is it back?');
  await before.api(`POST /chats/${answered}/messages`, { token: owner.token, body: { content: 'Yes' } });
  const waiting = await say(before.api, site, await visit(before.api, site), 'Old question');
  await until(
    async () => (await NoticeModel.countDocuments({ _id: { $in: [`${answered}:answer`, `${waiting}:team`] } })) === 2,
  );
  hangUp();
  await before.stop();

  box.refuse(null);
  box.mails.length = 0;
  const after = await startServer(settings);
  after.advance(DAYS_MS);
  const chat = await say(after.api, site, await visit(after.api, site), 'New question');
  await until(async () => NoticeModel.exists({ _id: `${chat}:team` }));
  after.advance(3 * MINUTE_MS);
  await until(async () => box.mails.length > 0);
  await until(
    async () => !(await NoticeModel.exists({ ...DUE, kind: { $ne: 'bell' } })) && !(await MailModel.exists(DUE)),
  );
  expect(box.mails.map(({ to }) => to?.[0]?.address)).toEqual([owner.user.email]);
  expect(box.mails[0]?.text).toContain('New question');
  expect(box.mails[0]?.text).not.toContain('Old question');
  await after.stop();
  await box.stop();
  await rm(dataDir, { recursive: true, force: true });
});
