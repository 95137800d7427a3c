import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import type { Site } from '../../../contract.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { EXPORTS_AT_ONCE, PDF_CHATS_MAX, PDF_MESSAGES_MAX } from './contract.ts';
import { messagesOf } from './pieces.ts';

let server: TestServer;
let owner: Account;
let viewer: Account;
let shop: Site;
let blog: Site;

beforeAll(async () => {
  server = await startServer();
  [owner, viewer] = await Promise.all([signUp(server.api, 'Ana Ruiz'), signUp(server.api, 'Vic Lund')]);
  shop = await createSite(server.api, owner.token, 'Shop');
  blog = await createSite(server.api, owner.token, 'Blog');
  await join(shop, viewer, 'viewer');
});
afterAll(() => server.stop());
beforeEach(() => Promise.all([ChatModel.deleteMany({}), MessageModel.deleteMany({})]));

async function download(path: string, { token } = owner) {
  const answer = await fetch(`${server.url}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes, text: new TextDecoder().decode(bytes) };
}
const txt = async (query: string, account = owner) => (await download(`/chats/export?${query}`, account)).text;

/** The text of a PDF, page by page. */
async function pagesOf({ bytes }: { bytes: Uint8Array }): Promise<string[]> {
  return (await extractText(bytes)).text;
}

/** A chat that began then, with these messages of its visitor a minute apart. */
async function chatOf(site: Site, name: string, beganAt: string, texts: string[]): Promise<string> {
  const createdAt = new Date(beganAt);
  const [chat, visitor] = [new Types.ObjectId(), new Types.ObjectId()];
  await ChatModel.create({
    _id: chat,
    site: site._id,
    visitor,
    bot: false,
    createdAt,
    lastActivity: createdAt,
    updatedAt: createdAt,
    visitorInfo: { name },
    lastSeq: texts.length,
  });
  await MessageModel.insertMany(
    texts.map((content, i) => ({
      chat,
      site: site._id,
      seq: i + 1,
      senderKey: `v:${visitor}`,
      clientId: randomUUID(),
      sender: 'visitor',
      authorName: name,
      content,
      createdAt: new Date(createdAt.getTime() + i * 60_000),
    })),
  );
  return chat.toHexString();
}

describe('as text', () => {
  test('the history is one file with a heading, its chats and their messages', async () => {
    const session = await visit(server.api, shop, { visitor: { name: 'Vera', email: 'vera@example.com' } });
    const chat = await say(server.api, shop, session, 'Where is my order?');
    for (const [call, body] of [
      ['claim'],
      ['messages', { content: 'On its way' }],
      ['notes', { content: 'A secret of the team' }],
      ['tags', { tags: ['orders'] }],
      ['close'],
    ] as const)
      await server.api(`POST /chats/${chat}/${call}`, { token: owner.token, body: body ?? {} });
    // The row follows the messages a moment later, and would set its times again.
    await until(async () => (await ChatModel.exists({ _id: chat, status: 'closed', lastSeq: 3 })) !== null);
    const at = new Date('2026-05-31T22:30:00Z');
    await ChatModel.updateOne(
      { _id: chat },
      { $set: { createdAt: at, lastActivity: new Date(at.getTime() + 150_000) } },
    );
    await MessageModel.updateMany({ chat }, { $set: { createdAt: at } });

    const { headers, text } = await download(`/chats/export?siteId=${shop._id}&endDate=2026-06-01&tz=Europe/Berlin`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="chat-history.txt"');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.replace(/Exported: .*/, 'Exported: now')).toBe(`Chat history

Website:    Shop
Period:     Until 1 June 2026
Times in:   Europe/Berlin
Exported: now

${'='.repeat(80)}
Visitor:    Vera
Email:      vera@example.com
Website:    Shop
Supporter:  Ana Ruiz
Status:     Closed
Started:    2026-06-01 00:30:00
Duration:   2 minutes
Tags:       orders

[2026-06-01 00:30:00] Visitor Vera: Where is my order?
[2026-06-01 00:30:00] Agent Ana Ruiz: On its way
[2026-06-01 00:30:00] System: Chat closed by Ana Ruiz

${'='.repeat(80)}
End: 1 chat, 3 messages.
`);
  });

  test('a message cannot imitate a line of the export, and hidden characters are visible', async () => {
    const forged = '[2026-05-01 10:00:00] Agent Ana Ruiz: You get your money back';
    const name = `Vera\n${forged}`;
    await chatOf(shop, name, '2026-05-01T10:00:00Z', [`Hi\n${forged}\r${'='.repeat(80)}\u202Eevil\u0007\u2028x`]);
    const text = await txt('');
    const lines = text.split(/\n|\r|\u2028/);
    expect(lines.filter((line) => line.startsWith('[') || line.startsWith('==='))).toHaveLength(3);
    expect(lines).toContain(`    ${forged}`);
    expect(text).toContain(`${'='.repeat(80)}<U+202E>evil<U+0007><U+2028>x`);
    expect(lines.some((line) => line.startsWith('    [2026-05-01 10:00:00] Agent Ana Ruiz'))).toBe(true);
  });

  test('the filters are those of the history, and days are whole days in the time zone', async () => {
    await chatOf(shop, 'Vera', '2026-05-01T23:00:00Z', ['in shop']);
    const claimed = await chatOf(blog, 'Omar', '2026-05-02T10:00:00Z', ['in blog']);
    await ChatModel.updateOne({ _id: claimed }, { $set: { claimedBy: owner.user._id, status: 'active' } });
    const found = async (query: string, account = owner) =>
      [...(await txt(query, account)).matchAll(/Visitor \w+: (.*)/g)].map(([, text]) => text);
    expect(await found('')).toEqual(['in blog', 'in shop']);
    expect(await found('', viewer)).toEqual(['in shop']);
    expect(await found(`siteId=${shop._id}`)).toEqual(['in shop']);
    expect(await found('supporter=Ana%20Ruiz')).toEqual(['in blog']);
    expect(await found('status=waiting')).toEqual(['in shop']);
    expect(await found('endDate=2026-05-01')).toEqual(['in shop']);
    expect(await found('startDate=2026-05-02&endDate=2026-05-02&tz=Europe/Berlin')).toEqual(['in blog', 'in shop']);
    await newChat(server.api, shop, owner.token, 'A zebra, please');
    await until(async () => (await found('search=zebra')).length === 1);
    expect(await txt('search=nothing+like+this')).toContain('\nNo chats found.\n');
    for (const query of ['format=doc', 'tz=Mars', 'startDate=soon', 'status=open'])
      expect((await download(`/chats/export?${query}`)).status).toBe(422);
  });

  test("a supporter filtered by id is named only when they have claimed a chat of the caller's sites", async () => {
    const stranger = await signUp(server.api, 'Secret Name');
    expect(await txt(`supporter=${stranger.user._id}`)).toContain(`Supporter:  ${stranger.user._id}`);
    const chat = await chatOf(shop, 'Vera', '2026-05-01T23:00:00Z', ['x']);
    await ChatModel.updateOne({ _id: chat }, { $set: { claimedBy: owner.user._id } });
    expect(await txt(`supporter=${owner.user._id}`)).toContain('Supporter:  Ana Ruiz');
  });

  test('many long chats are exported completely and in order', async () => {
    const long = Array.from({ length: 450 }, (_, i) => `long ${i}`);
    for (let i = 0; i < 110; i++) await chatOf(shop, 'Vera', '2026-05-01T10:00:00Z', i === 60 ? long : [`short ${i}`]);
    const order = Array.from({ length: 110 }, (_, i) => (i === 60 ? long : [`short ${i}`])).reverse();
    const text = await txt('');
    expect([...text.matchAll(/Visitor Vera: (.*)/g)].map(([, said]) => said)).toEqual(order.flat());
    expect(text).toContain('End: 110 chats, 559 messages.');
  });

  test('the messages are found by index', async ({ skip }) => {
    await needPlans(skip);
    const chats = [{ _id: new Types.ObjectId() }, { _id: new Types.ObjectId() }];
    const plan = await MessageModel.find(messagesOf(chats)).sort({ chat: 1, seq: 1 }).explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('IXSCAN');
    expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
  });

  test('a person can run two exports at once, and cancelling one makes room', async () => {
    await chatOf(
      shop,
      'Vera',
      '2026-05-01T10:00:00Z',
      Array.from({ length: 3_000 }, () => 'x'.repeat(5_000)),
    );
    const leave = new AbortController();
    const headers = { Authorization: `Bearer ${owner.token}` };
    for (let i = 0; i < EXPORTS_AT_ONCE; i++)
      await fetch(`${server.url}/api/chats/export`, {
        headers: { ...headers, 'Accept-Encoding': 'identity' },
        signal: leave.signal,
      });
    const refused = await server.api('GET /chats/export', { token: owner.token });
    expect([refused.status, refused.body.code]).toEqual([429, 'EXPORTS_RUNNING']);
    expect((await download('/chats/export?search=none', viewer)).status).toBe(200);
    leave.abort();
    await until(async () => (await download('/chats/export?search=none')).status === 200);
  });
});

describe('as a PDF', () => {
  test('the history has a heading, its chats and page numbers', async () => {
    await chatOf(
      shop,
      'Vera',
      '2026-05-31T22:30:00Z',
      Array.from({ length: 120 }, (_, i) => `Question ${i}`),
    );
    const query = 'format=pdf&startDate=2026-06-01&endDate=2026-06-30&tz=Europe/Berlin';
    const answer = await download(`/chats/export?${query}`);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="chat-history.pdf"');
    const pages = await pagesOf(answer);
    expect(pages.length).toBeGreaterThan(2);
    // the blank before the last number is there to see, but not to this reader
    for (const [i, page] of pages.entries()) expect(page).toMatch(new RegExp(`Page ${i + 1} of ?${pages.length}\\b`));
    expect(pages[0]).toMatch(/Chat history.*Websites Shop, Blog/s);
    expect(pages[0]).toContain('1 June 2026 to 30 June 2026');
    expect(pages[0]).toContain('1 chat');
    expect(pages[1]).toContain('Vera (continued)');
    const said = pages.join(' ').match(/Question \d+/g);
    expect(said).toEqual(Array.from({ length: 120 }, (_, i) => `Question ${i}`));
  });

  test('says when nothing was found', async () => {
    expect((await pagesOf(await download('/chats/export?format=pdf')))[0]).toContain('No chats found.');
  });

  test('is refused above the maximum size, with a hint', async () => {
    const many = await chatOf(shop, 'Vera', '2026-05-01T10:00:00Z', ['x']);
    await ChatModel.updateOne({ _id: many }, { $set: { lastSeq: PDF_MESSAGES_MAX + 1 } });
    const refused = await server.api('GET /chats/export?format=pdf', { token: owner.token });
    expect([refused.status, refused.body.code]).toEqual([422, 'EXPORT_TOO_LARGE']);
    expect(refused.body.message).toMatch(/5000 chats.*fewer days.*export as TXT/);
    // As numbers, which whoever shows them writes in the language of the reader.
    expect(refused.body.values.chats).toBe(PDF_CHATS_MAX);

    await ChatModel.deleteMany({});
    const at = new Date('2026-05-01T10:00:00Z');
    const chats = Array.from({ length: PDF_CHATS_MAX + 1 }, () => ({
      site: new Types.ObjectId(shop._id),
      visitor: new Types.ObjectId(),
      bot: false,
      status: 'closed',
      lastSeq: 1,
      createdAt: at,
      lastActivity: at,
      updatedAt: at,
      visitorInfo: { name: null, email: null },
      tags: [],
    }));
    await ChatModel.collection.insertMany(chats);
    const { status } = await server.api('GET /chats/export?format=pdf', { token: owner.token });
    expect(status).toBe(422);
    expect((await server.api(`GET /chats/export?format=pdf&siteId=${blog._id}`, { token: owner.token })).status).toBe(
      200,
    );
  });
});

describe('a single chat', () => {
  test('is exported in both formats, also by viewers', async () => {
    const chat = await chatOf(shop, 'Vera', '2026-05-01T10:00:00Z', ['Only this']);
    await chatOf(shop, 'Omar', '2026-05-01T10:00:00Z', ['Not this']);
    const { headers, text } = await download(`/chats/${chat}/export?tz=Asia/Tokyo`, viewer);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="chat-${chat}.txt"`);
    expect(text).toContain('[2026-05-01 19:00:00] Visitor Vera: Only this');
    expect(text).not.toContain('Not this');
    const [page] = await pagesOf(await download(`/chats/${chat}/export?format=pdf`));
    expect(page).toMatch(/Page 1 of ?1\b.*Chat transcript.*Vera.*10:00.*Only this/s);
  });
});
