import { expect, test } from 'vitest';
import { createSite, signUp } from '#test/factories';
import { startServer } from '#test/harness';
import { endedImport, fileOfChats, PLAN, uploadHistory } from '#test/pastChats';

const MAX = 3;

test('uploads and runs of one account are counted together, also those that come at once', async ({
  onTestFinished,
}) => {
  const server = await startServer({ rateLimits: true, limits: { historyFilesPerAccount: MAX } });
  onTestFinished(server.stop);
  const [ana, ben] = [await signUp(server.api), await signUp(server.api)];
  const site = await createSite(server.api, ana.token);
  const { _id } = await uploadHistory(server.url, ana.token, site._id, fileOfChats(1));
  const check = () =>
    server.api(`POST /sites/${site._id}/imports/${_id}/run`, { token: ana.token, body: { ...PLAN, dryRun: true } });
  const answers = await Promise.all([check(), check(), check(), check()]);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4 - (MAX - 1));
  await endedImport(server.api, ana.token, site._id, _id);
  await expect(uploadHistory(server.url, ana.token, site._id, fileOfChats(1))).rejects.toThrow('RATE_LIMITED');
  const other = await createSite(server.api, ben.token);
  await uploadHistory(server.url, ben.token, other._id, fileOfChats(1));
});
