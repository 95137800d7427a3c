import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { type Account, createSite, signUp, until, visit } from '#test/factories';
import { type Api, startServer } from '#test/harness';
import { startCluster, startNode } from '#test/nodes';
import type { Site } from '../../../contract.ts';
import { SiteModel } from '../../features/sites/model.ts';
import { type NodeDoc, NodeModel } from '../cluster/nodes.ts';
import { connection } from '../database/connection.ts';
import { DATA_VERSION } from './steps.ts';

const HOUR_S = 3_600;

/** Everything that is stored, as text. */
async function stored(): Promise<string> {
  const collections = (await connection.db?.listCollections().toArray()) ?? [];
  const documents = collections.map(({ name }) => connection.db?.collection(name).find().toArray());
  return JSON.stringify(await Promise.all(documents));
}

const secretOf = async (api: Api, { token }: Account, { _id }: Site, call = 'GET'): Promise<string> =>
  (await api(`${call} /sites/${_id}/identity-secret`, { token })).body.data.secret;

/** Opens a visitor's session with a token signed with the secret. @returns the name in the token */
async function provenName(api: Api, site: Site, secret: string): Promise<string | null> {
  const token = jwt.sign({ sub: 'mina', name: 'Mina Park', exp: Date.now() / 1000 + HOUR_S }, secret);
  return (await visit(api, site, { identity: { token } })).visitor.name;
}

/** Makes of the data what a version before has left. */
async function asBefore({ _id }: Site, secret: string): Promise<void> {
  await SiteModel.updateOne({ _id }, { $set: { identitySecret: secret }, $unset: { sealedIdentity: 1 } });
  await connection.db?.collection('schema').deleteMany();
}

test('the identity secrets of an earlier version go on working, and are not readable in the data any more', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-sealed-'));
  const start = () => startServer({ dataDir, mongodbUri: null });
  try {
    const former = await start();
    const owner = await signUp(former.api);
    const site = await createSite(former.api, owner.token);
    const secret = await secretOf(former.api, owner, site);
    expect(await stored()).not.toContain(secret);
    await asBefore(site, secret);
    await former.stop();

    const { api, stop } = await start();
    expect(await stored()).not.toContain(secret);
    expect(await secretOf(api, owner, site)).toBe(secret);
    expect(await provenName(api, site, secret)).toBe('Mina Park');
    const changed = await secretOf(api, owner, site, 'POST');
    expect(await stored()).not.toContain(changed);
    expect(await provenName(api, site, changed)).toBe('Mina Park');
    await expect(provenName(api, site, secret)).rejects.toThrow();
    await stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('beside a node of the last release secrets stay as it reads them, and are sealed when it has ended', async () => {
  const cluster = await startCluster(1);
  try {
    const { api } = cluster.nodes[0] as { api: Api };
    const owner = await signUp(api);
    const [site, other] = [await createSite(api, owner.token), await createSite(api, owner.token)];
    await asBefore(site, 'plain-secret-of-before');
    const { dataVersion: _, ...entry } = (await NodeModel.findOne().lean()) as NodeDoc;
    await NodeModel.create({ ...entry, _id: 'old', version: '0.0.9' });
    const beats = setInterval(() => NodeModel.updateOne({ _id: 'old' }, { $inc: { beat: 1 } }).catch(() => {}), 50);
    const second = await startNode(cluster.env).finally(() => clearInterval(beats));
    const secrets = [await secretOf(second.api, owner, site), await secretOf(second.api, owner, other)];
    expect(secrets[0]).toBe('plain-secret-of-before');
    for (const [i, one] of [site, other].entries()) {
      expect((await SiteModel.findById(one._id).lean())?.identitySecret).toBe(secrets[i]);
      expect(await provenName(second.api, one, secrets[i] as string)).toBe('Mina Park');
    }
    await NodeModel.deleteOne({ _id: 'old' });
    await until(async () => (await connection.db?.collection('schema').findOne({}))?.completed === DATA_VERSION);
    for (const [i, one] of [site, other].entries()) {
      expect(await stored()).not.toContain(secrets[i]);
      expect(await secretOf(second.api, owner, one)).toBe(secrets[i]);
      expect(await provenName(second.api, one, secrets[i] as string)).toBe('Mina Park');
    }
    await second.stop();
  } finally {
    await cluster.stop();
  }
});
