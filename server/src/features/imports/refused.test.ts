import { expect, test } from 'vitest';
import { createSite, signUp } from '#test/factories';
import { startServer } from '#test/harness';
import { fileOfChats, uploadHistory } from '#test/pastChats';
import { startRefusingStore } from '#test/refusingStore';

test('an uploaded file that the store refuses is not offered for import', async ({ onTestFinished }) => {
  const store = await startRefusingStore();
  onTestFinished(store.stop);
  const server = await startServer({ mongodbUri: store.uri });
  onTestFinished(server.stop);
  const { token } = await signUp(server.api);
  const { _id: site } = await createSite(server.api, token);

  const refusal = store.refuse(['insert blobs.chunks']);
  await expect(uploadHistory(server.url, token, site, fileOfChats(1))).rejects.toThrow('INTERNAL');
  refusal.end();
  const list = async () => (await server.api(`GET /sites/${site}/imports`, { token })).body.data.imports;
  expect(await list()).toEqual([]);
  await uploadHistory(server.url, token, site, fileOfChats(1));
  expect(await list()).toHaveLength(1);
});
