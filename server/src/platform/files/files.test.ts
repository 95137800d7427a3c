import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import { uploadAsVisitor, uploadToChat } from '#test/uploads';
import type { Site, VisitorSession } from '../../../contract.ts';
import { connection } from '../database/connection.ts';
import { FILE_MAX_BYTES } from './contract.ts';
import { FileModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;
let vera: VisitorSession;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  vera = await visit(server.api, site, { visitor: { name: 'Vera' } });
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const photo = (width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background: '#2d6cdf' } })
    .jpeg()
    .toBuffer()
    .then((bytes) => new Uint8Array(bytes));

const get = (url: string) => fetch(server.url + url);
const bytesOf = async (url: string) => Buffer.from(await (await get(url)).arrayBuffer());
/** How many pieces the store keeps of all files. */
const pieces = async () => (await connection.db?.collection('blobs.chunks').countDocuments({})) ?? 0;
const fromVera = (bytes: Uint8Array<ArrayBuffer> | string, told = {}) =>
  uploadAsVisitor(server, site, vera, bytes, told);

describe('a file message', () => {
  test('of a visitor reaches both sides, shows its name in the list row, and can be downloaded', async () => {
    const desk = await connectStaff(server.url, owner.token);
    const widget = await connectVisitor(server.url, vera.visitorToken);
    // Beginning with zeros, which begin no known kind of file.
    const bytes = new Uint8Array(randomBytes(700_000)).fill(0, 0, 16);
    const sent = await fromVera(bytes, { name: 'plan.bin', clientId: randomUUID() });
    expect(sent.status).toBe(201);
    const { message, chat } = sent.body.data;
    expect(message).toMatchObject({
      sender: 'visitor',
      type: 'file',
      content: 'plan.bin',
      text: 'plan.bin',
      seq: 1,
      file: { name: 'plan.bin', size: bytes.length, mime: 'application/octet-stream' },
    });
    expect(message.file.url).toMatch(/^\/api\/files\/[\w-]{43}$/);
    expect(Object.keys(message.file).sort()).toEqual(['mime', 'name', 'size', 'url']);
    expect((await bytesOf(message.file.url)).equals(bytes)).toBe(true);

    const [heard] = await until(async () => desk.heard('new_message').length > 0 && desk.heard('new_message'));
    expect(heard.message.file).toEqual(message.file);
    expect(heard.notice).toMatchObject({ siteName: site.name });
    await until(async () => widget.heard('new_message').length > 0);
    expect(widget.heard('new_message')[0].message).toEqual(message);
    const row = await server.api(`GET /chats/${chat._id}`, { token: owner.token });
    expect(row.body.data.chat).toMatchObject({ lastMessage: 'plan.bin', unread: 1 });
    expect(row.body.data.chat.messages[0].file).toEqual(message.file);
    hangUp();
  });

  test('of a member claims a waiting chat, like any answer', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const sent = await uploadToChat(server, owner.token, chat._id, 'Your invoice', { name: 'invoice.txt' });
    expect(sent.status).toBe(201);
    expect(sent.body.data.message).toMatchObject({ sender: 'agent', senderName: 'Ana Ruiz', type: 'file', seq: 2 });
    expect(sent.body.data.message.file).toMatchObject({ name: 'invoice.txt', size: 12, mime: 'text/plain' });
    const { claimedBy } = (await server.api(`GET /chats/${chat._id}`, { token: owner.token })).body.data.chat;
    expect(claimedBy._id).toBe(owner.user._id);
  });

  test('that is sent again with its id is stored once, and the id cannot be reused for another file', async () => {
    const person = await visit(server.api, site);
    const send = (bytes: string, told: object) => uploadAsVisitor(server, site, person, bytes, told);
    const clientId = randomUUID();
    const first = await send('the same', { name: 'a.txt', clientId });
    const stored = await FileModel.countDocuments({});
    const again = await send('the same', { name: 'a.txt', clientId });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.data).toEqual(first.body.data);
    for (const other of [
      await send('another', { name: 'a.txt', clientId }),
      await server.api(`POST /widget/${site.widgetCode}/messages`, {
        token: person.visitorToken,
        body: { clientId, content: 'a.txt' },
      }),
    ])
      expect([other.status, other.body.code]).toEqual([409, 'ID_CONFLICT']);
    expect(await FileModel.countDocuments({})).toBe(stored);
  });

  test('that is sent eight times at once is stored once', async () => {
    const person = await visit(server.api, site);
    const before = [await FileModel.countDocuments({}), await pieces()];
    const clientId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => uploadAsVisitor(server, site, person, 'raced', { clientId })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.message._id)).size).toBe(1);
    await until(async () => (await FileModel.countDocuments({ uncertain: true })) === 0);
    expect([await FileModel.countDocuments({}), await pieces()]).toEqual(before.map((count) => count + 1));
  });

  test('is refused in a closed chat, and nothing is stored', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const clientId = randomUUID();
    const sent = await uploadToChat(server, owner.token, chat._id, 'in time', { clientId });
    await server.api(`POST /chats/${chat._id}/close`, { token: owner.token });
    const before = [await FileModel.countDocuments({}), await pieces()];
    const late = await uploadToChat(server, owner.token, chat._id, 'too late');
    expect([late.status, late.body.code]).toEqual([409, 'CHAT_CLOSED']);
    const again = await uploadToChat(server, owner.token, chat._id, 'in time', { clientId });
    expect([again.status, again.body.data.message._id]).toEqual([200, sent.body.data.message._id]);
    expect([await FileModel.countDocuments({}), await pieces()]).toEqual(before);
  });

  test('of a visitor after the close starts a new chat', async () => {
    const person = await visit(server.api, site);
    const old = await say(server.api, site, person, 'Hello');
    await server.api(`POST /chats/${old}/close`, { token: owner.token });
    const sent = await uploadAsVisitor(server, site, person, 'news', { name: 'news.txt' });
    expect([sent.status, sent.body.data.message.seq]).toEqual([201, 1]);
    expect(sent.body.data.chat._id).not.toBe(old);
  });
});

describe('permissions', () => {
  test('viewers, strangers and blocked visitors cannot send files, and nothing is stored', async () => {
    const viewer = await signUp(server.api);
    await join(site, viewer, 'viewer');
    const stranger = await signUp(server.api);
    const chat = await newChat(server.api, site, owner.token);
    await server.api(`POST /visitors/${chat.visitorId}/block`, { token: owner.token });
    const blocked = await visit(server.api, site);
    await say(server.api, site, blocked, 'Hello');
    await server.api(`POST /visitors/${blocked.visitor._id}/block`, { token: owner.token });
    const stored = await FileModel.countDocuments({});
    const answers = [
      await uploadToChat(server, viewer.token, chat._id, 'x'),
      await uploadToChat(server, stranger.token, chat._id, 'x'),
      await uploadToChat(server, 'nonsense', chat._id, 'x'),
      await uploadAsVisitor(server, site, blocked, 'x'),
      await uploadAsVisitor(server, await createSite(server.api, stranger.token), vera, 'x'),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'FORBIDDEN'],
      [404, 'CHAT_NOT_FOUND'],
      [401, 'UNAUTHORIZED'],
      [403, 'BLOCKED'],
      [404, 'SITE_NOT_FOUND'],
    ]);
    expect(await FileModel.countDocuments({})).toBe(stored);
  });

  test('an unknown file key is a 404', async () => {
    for (const key of ['x', 'a'.repeat(43), '%00', '$ne', '__proto__', 'a'.repeat(500)])
      expect((await get(`/api/files/${key}`)).status).toBe(404);
  });
});

describe('limits', () => {
  test('a file has at most ten megabytes', async () => {
    const most = new Uint8Array(FILE_MAX_BYTES);
    randomBytes(1000).copy(most);
    const sent = await fromVera(most, { name: 'most.bin' });
    expect([sent.status, sent.body.data.message.file.size]).toEqual([201, FILE_MAX_BYTES]);
    expect((await bytesOf(sent.body.data.message.file.url)).equals(most)).toBe(true);
    const more = await fromVera(new Uint8Array(FILE_MAX_BYTES + 1));
    expect([more.status, more.body.code]).toEqual([413, 'TOO_LARGE']);
    expect(more.body.message).toBe('A file can have at most 10 MB.');
  });

  test('the limit also holds without a content length', async () => {
    const body = new ReadableStream({
      start(stream) {
        for (let i = 0; i < 11; i++) stream.enqueue(new Uint8Array(1024 * 1024));
        stream.close();
      },
    });
    const headers = { Authorization: `Bearer ${vera.visitorToken}` };
    const address = `${server.url}/api/widget/${site.widgetCode}/files`;
    const sent = await fetch(address, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect(sent.status).toBe(413);
  });

  test.each([
    ['nothing', '', 'image/png', 'This file is empty.'],
    ['a form', '--x--', 'multipart/form-data; boundary=x', 'Send the file itself as the request body, not as a form.'],
  ])('%s is refused as a file', async (_what, bytes, type, message) => {
    const sent = await fromVera(bytes, { type });
    expect([sent.status, sent.body.message]).toEqual([422, message]);
  });

  test('an interrupted upload leaves nothing, and can be repeated with the same id', async () => {
    const before = [await FileModel.countDocuments({}), await pieces()];
    const clientId = randomUUID();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const path = `/api/widget/${site.widgetCode}/files?clientId=${clientId}`;
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${vera.visitorToken}\r\nContent-Length: 900000\r\n\r\n`;
    socket.write(head + 'x'.repeat(400_000), () => socket.destroy());
    await new Promise((closed) => socket.once('close', closed));
    const sent = await fromVera('whole', { clientId });
    expect(sent.status).toBe(201);
    expect([await FileModel.countDocuments({}), await pieces()]).toEqual(before.map((count) => count + 1));
  });
});

describe('downloads', () => {
  const hostile: [string, string][] = [
    ['x.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['x.html', '<!doctype html><script>alert(1)</script>'],
    ['x.png', '<html><script>alert(1)</script></html>'],
    ['x.xml', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['x.js', 'alert(1)'],
    ['x.pdf', '%PDF-1.7\n%\u0001\u0002'],
  ];
  test.each(hostile)('%s is always downloaded and never displayed', async (name, text) => {
    for (const type of ['image/png', 'text/html', 'image/svg+xml']) {
      const { body } = await fromVera(text, { name, type });
      const answer = await get(body.data.message.file.url);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
      expect(await answer.text()).toBe(text);
    }
  });

  test('pictures can be displayed by pages of any origin, and are cached by the browser only', async () => {
    const { body } = await fromVera(await photo(), { name: 'photo.jpg', type: 'text/html' });
    const { url } = body.data.message.file;
    const answer = await get(url);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename="photo.jpg"; filename*=UTF-8''photo.jpg`,
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, max-age=31536000, immutable, no-transform',
    });
    const held = { 'If-None-Match': answer.headers.get('etag') ?? '' };
    expect((await server.api(`GET ${url.slice('/api'.length)}`, { headers: held })).status).toBe(304);
  });

  test.each([
    [
      'Ärger im Büro "neu".txt',
      'Ärger im Büro "neu".txt',
      `"_rger im B_ro _neu_.txt"; filename*=UTF-8''%C3%84rger%20im%20B%C3%BCro%20%22neu%22.txt`,
    ],
    ['../../etc/passwd', 'passwd', `"passwd"; filename*=UTF-8''passwd`],
    ['C:\\Users\\v\\plan.txt', 'plan.txt', `"plan.txt"; filename*=UTF-8''plan.txt`],
    ['gnp.\u202efdp.exe', 'gnp.fdp.exe', `"gnp.fdp.exe"; filename*=UTF-8''gnp.fdp.exe`],
    [
      'a\r\nSet-Cookie: x=1.txt',
      'aSet-Cookie: x=1.txt',
      `"aSet-Cookie: x=1.txt"; filename*=UTF-8''aSet-Cookie%3A%20x%3D1.txt`,
    ],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>', null],
    ['\u200f\u0007', 'file', `"file"; filename*=UTF-8''file`],
    ['سند‌ها 文件.txt', 'سند‌ها 文件.txt', null],
  ])('the name %j is stored as %j', async (given, kept, header) => {
    const { body } = await fromVera('text', { name: given });
    expect([body.data.message.file.name, body.data.message.content]).toEqual([kept, kept]);
    const answer = await get(body.data.message.file.url);
    if (header) expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=${header}`);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('a name of more than 255 characters is refused', async () => {
    expect((await fromVera('x', { name: 'x'.repeat(256) })).status).toBe(422);
  });
});
