import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { CannedReply, ReplyImport, Site } from '../../../contract.ts';
import { FileModel } from '../../platform/files/model.ts';
import { doubtFiles } from '../../platform/files/storedFiles.ts';
import { sweepFiles } from '../chats/messages/files.ts';
import { SiteModel } from '../sites/model.ts';
import { IMPORT_ROWS_MAX, PERSONAL_REPLY_LIMIT, REPLY_FILES_MAX } from './contract.ts';
import { replyFileBytes, sweepPersonalReplies } from './files.ts';
import { ReplyModel } from './model.ts';

const TWO_HOURS_MS = 7_200_000;
let server: TestServer;
let owner: Account;
let agent: Account;
let viewer: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  [owner, agent, viewer] = (await Promise.all(['Olga', 'Ben', 'Vic'].map((name) => signUp(server.api, name)))) as [
    Account,
    Account,
    Account,
  ];
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  await join(site, agent, 'agent');
  await join(site, viewer, 'viewer');
});
afterAll(() => server.stop());

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const add = (shortcut: string, who = owner, personal = false, content = 'Hello {{ visitor.name|there }}!') =>
  as(who)('POST /canned-replies', { siteId: site._id, shortcut, content, personal });
const made = async (...of: Parameters<typeof add>): Promise<CannedReply> => (await add(...of)).body.data.reply;
const list = async (who: Account, query = '') =>
  (await as(who)(`GET /canned-replies?siteId=${site._id}${query}`)).body.data as {
    replies: CannedReply[];
    nextCursor: string | null;
  };
const shown = (replies: CannedReply[]) => replies.map(({ shortcut, personal }) => shortcut + (personal ? ' mine' : ''));
const send = (path: string, bytes: string | Uint8Array<ArrayBuffer>, { token } = owner) =>
  fetch(`${server.url}/api${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
    body: bytes,
  });
const attach = async ({ _id }: CannedReply, name: string, who = owner) => {
  const answer = await send(`/canned-replies/${_id}/files?name=${name}`, `bytes of ${name}`, who);
  return { status: answer.status, body: (await answer.json()) as { data: { reply: CannedReply } } };
};
const stored = async () => (await as(owner)(`GET /sites/${site._id}/usage`)).body.data.usage.files.bytes;

describe('personal replies', () => {
  test('are seen and changed by their owner alone, beside those of the team', async () => {
    await made('hello');
    const mine = await made('hello', agent, true);
    expect((await add('hello', agent, true)).body.code).toBe('SHORTCUT_TAKEN');
    expect((await add('bye', agent)).status).toBe(403);
    expect((await add('bye', viewer, true)).status).toBe(403);
    expect(shown((await list(agent)).replies)).toEqual(['hello', 'hello mine']);
    for (const other of [owner, viewer]) expect(shown((await list(other)).replies)).toEqual(['hello']);
    for (const verb of ['PATCH', 'DELETE'])
      expect((await as(owner)(`${verb} /canned-replies/${mine._id}`, { content: 'x' })).status).toBe(404);
    const changed = await as(agent)(`PATCH /canned-replies/${mine._id}`, { content: 'Hi' });
    expect(changed.body.data.reply).toEqual({ ...mine, content: 'Hi' });
    expect((await as(agent)(`DELETE /canned-replies/${mine._id}`)).status).toBe(200);
  });

  test('and those of the team are paged together', async () => {
    for (const shortcut of ['b', 'a', 'c']) {
      await add(shortcut);
      await add(shortcut, owner, true);
    }
    const all: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(owner, `&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      all.push(...shown(page.replies));
      cursor = page.nextCursor;
    }
    expect(all).toEqual(['a', 'a mine', 'b', 'b mine', 'c', 'c mine']);
  });

  test('have a limit, and go with their owner', async () => {
    const rows = Array.from({ length: PERSONAL_REPLY_LIMIT }, (_, i) => ({
      site: site._id,
      owner: agent.user._id,
      shortcut: `s${i}`,
      content: 'x',
    }));
    await ReplyModel.insertMany(rows);
    expect((await add('more', agent, true)).body.code).toBe('REPLY_LIMIT_REACHED');
    await as(owner)(`DELETE /team/members/${agent.user._id}`, { siteId: site._id });
    await until(async () => (await ReplyModel.countDocuments({ owner: agent.user._id })) === 0);
    await ReplyModel.insertMany(rows.slice(0, 2));
    await made('kept', owner, true);
    await made('kept');
    await sweepPersonalReplies(Date.now(), new AbortController().signal);
    expect(await ReplyModel.countDocuments({ site: site._id })).toBe(2);
  });
});

describe('files of a reply', () => {
  test('are served, counted, and removed with the reply', async () => {
    const reply = await made('prices');
    expect((await attach(reply, 'prices.txt', agent)).status).toBe(403);
    await attach(reply, 'prices.txt');
    const { files } = (await attach(reply, 'terms.txt')).body.data.reply;
    expect(files.map(({ name, size }) => [name, size])).toEqual([
      ['prices.txt', 19],
      ['terms.txt', 18],
    ]);
    const [first, second] = files.map(({ url }) => url);
    expect(await (await fetch(server.url + first)).text()).toBe('bytes of prices.txt');
    expect(await stored()).toBe(37);
    const { body } = await as(owner)(`PATCH /canned-replies/${reply._id}`, { files: [second] });
    expect(body.data.reply.files).toEqual(files.slice(1));
    expect((await fetch(server.url + first)).status).toBe(404);
    expect(await stored()).toBe(18);
    expect((await as(owner)(`PATCH /canned-replies/${reply._id}`, { files: [7] })).status).toBe(422);
    await as(owner)(`DELETE /canned-replies/${reply._id}`);
    expect((await fetch(server.url + second)).status).toBe(404);
    expect([await stored(), await FileModel.countDocuments({ site: site._id })]).toEqual([0, 0]);
  });

  test('have a limit, also when they are added at once', async () => {
    const reply = await made('many');
    const names = Array.from({ length: REPLY_FILES_MAX + 2 }, (_, i) => `${i}.txt`);
    const codes = (await Promise.all(names.map((name) => attach(reply, name)))).map(({ status }) => status);
    expect(codes.filter((code) => code === 409)).toHaveLength(2);
    expect(await FileModel.countDocuments({ site: site._id })).toBe(REPLY_FILES_MAX);
  });

  test('stay after an interrupted removal as long as the reply has them, and are counted again', async () => {
    const reply = await made('prices');
    await attach(reply, 'prices.txt');
    const file = await FileModel.findOne({ site: site._id }).lean();
    expect(file?.uncertain).toBeUndefined();
    if (file) await doubtFiles([file._id]);
    await sweepFiles(Date.now() + TWO_HOURS_MS, new AbortController().signal);
    expect((await FileModel.findOne({ site: site._id }).lean())?.uncertain).toBeUndefined();
    const siteId = new Types.ObjectId(site._id);
    expect(await replyFileBytes(siteId, new Date(Date.now() + TWO_HOURS_MS))).toBe(19);
    expect(await replyFileBytes(siteId, new Date(0))).toBe(0);
    await ReplyModel.deleteOne({ _id: reply._id });
    if (file) await doubtFiles([file._id]);
    await sweepFiles(Date.now() + TWO_HOURS_MS, new AbortController().signal);
    expect(await FileModel.countDocuments({ site: site._id })).toBe(0);
  });

  test('go with the site', async () => {
    await attach(await made('prices'), 'prices.txt');
    await as(owner)(`DELETE /sites/${site._id}`);
    await until(async () => SiteModel.exists({ _id: site._id, purgedAt: { $exists: true } }));
    expect(await FileModel.countDocuments({ site: site._id })).toBe(0);
  });
});

describe('CSV', () => {
  const exported = async (who = owner) => {
    const path = `${server.url}/api/canned-replies/export?siteId=${site._id}`;
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${who.token}` } });
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    return Buffer.from(await answer.arrayBuffer()).toString();
  };
  const load = async (csv: string, { who = owner, dryRun = false, at = site } = {}) => {
    const answer = await send(`/canned-replies/import?siteId=${at._id}${dryRun ? '&dryRun=yes' : ''}`, csv, who);
    return ((await answer.json()) as { data: ReplyImport }).data;
  };
  const nothing = { added: 0, changed: 0, unchanged: 0, errors: [] };

  test('that is exported is imported elsewhere as it was, and no formula runs in a spreadsheet', async () => {
    const texts = ['=1+2', "'=quoted", '+49 30', '"Hello", she said;\nand went', '@all', 'plain', "'plain"];
    texts.push('\n=1+2', '\nand so on', ' =1+2', '\u00a0@all', '＝1+2', '＋1', '－1', '＠all');
    for (const [i, text] of texts.entries()) await made(`r${i}`, owner, i === 5, text);
    await made('-dash');
    const csv = await exported();
    expect(csv.startsWith('\ufeff"shortcut","content","personal"\r\n')).toBe(true);
    expect(csv).toContain(`"'-dash"`);
    expect(csv).not.toMatch(/"\s*[=+@＝＋－＠-]|"\n/);
    const at = await createSite(server.api, owner.token);
    expect(await load(csv, { at, dryRun: true })).toEqual({ ...nothing, added: texts.length + 1 });
    expect(await ReplyModel.countDocuments({ site: at._id })).toBe(0);
    expect(await load(csv, { at })).toEqual({ ...nothing, added: texts.length + 1 });
    expect(await load(csv, { at })).toEqual({ ...nothing, unchanged: texts.length + 1 });
    const plain = ({ shortcut, content, personal }: CannedReply) => [shortcut, content, personal];
    const there = (await as(owner)(`GET /canned-replies?siteId=${at._id}`)).body.data.replies as CannedReply[];
    expect(there.map(plain)).toEqual((await list(owner)).replies.map(plain));
  });

  test('replaces texts, and takes semicolons of spreadsheets', async () => {
    await made('hello');
    const csv = 'Content;Shortcut\nHi, you;/HELLO\n\n"Two\nlines";bye\n';
    expect(await load(csv)).toEqual({ ...nothing, added: 1, changed: 1 });
    expect((await list(owner)).replies.map(({ content }) => content)).toEqual(['Two\nlines', 'Hi, you']);
  });

  test('of more columns than are read is read to the end of each row', async () => {
    const more = `${','.repeat(19)}x,"a ""quoted""\nline, and",y"z,""`;
    const csv = `shortcut,content${more}\r\none,First${more}\r\ntwo,"Second"${more}\nthree,Third`;
    expect(await load(csv)).toEqual({ ...nothing, added: 3 });
    expect((await list(owner)).replies.map(({ content }) => content).sort()).toEqual(['First', 'Second', 'Third']);
  });

  test('with errors is not imported, and names their lines', async () => {
    const csv = [
      'shortcut,content,personal',
      'fine,"Two\r\nlines",no',
      'two words,Text,',
      'empty, ,',
      'fine,Again,no',
      'who,Hello {{you}},',
      'fine,Mine,yes',
      'odd,Text,perhaps',
    ].join('\r\n');
    const { errors, added } = await load(csv);
    expect(errors.map(({ line }) => line)).toEqual([4, 5, 6, 7, 9]);
    expect(errors[2]?.message).toBe('Line 2 has the same shortcut');
    expect([added, await ReplyModel.countDocuments({ site: site._id })]).toEqual([2, 0]);
    expect((await load('name,text\na,b')).errors).toEqual([{ line: 1, message: expect.stringContaining('columns') }]);
    expect((await load('shortcut,content\na,"b')).errors[0]?.message).toContain('quotation');
    const rows = Array.from({ length: IMPORT_ROWS_MAX + 1 }, (_, i) => `s${i},x`).join('\n');
    expect((await load(`shortcut,content\n${rows}`)).errors[0]?.message).toContain(String(IMPORT_ROWS_MAX));
  });

  test('of an agent is personal, and of a viewer refused', async () => {
    const csv = 'shortcut,content\nmine,Hi\n';
    expect(await load(csv, { who: agent })).toEqual({ ...nothing, added: 1 });
    expect(shown((await list(agent)).replies)).toEqual(['mine mine']);
    const teams = await load('shortcut,content,personal\nteams,Hi,no\n', { who: agent });
    expect(teams.errors).toEqual([{ line: 2, message: 'Your role allows only personal replies.' }]);
    expect(await exported(agent)).toContain('"mine","Hi","yes"');
    expect(await exported()).not.toContain('mine');
    expect((await send(`/canned-replies/import?siteId=${site._id}`, csv, viewer)).status).toBe(403);
  });
});
