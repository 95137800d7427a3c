import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { uploadAsVisitor } from '#test/uploads';
import type { Site, VisitorSession } from '../../../contract.ts';
import { FileModel } from './model.ts';

let server: TestServer;
let owner: Account;
let site: Site;
let vera: VisitorSession;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  vera = await visit(server.api, site);
});
afterAll(() => server.stop());

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2d6cdf' } });
/** With a camera and a place in it, standing on its side. */
const photo = () =>
  plain(60, 40)
    .withIccProfile('p3')
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: 'Spycam' }, IFD3: { GPSLatitude: '48/1 8/1 0/1' } })
    .jpeg()
    .toBuffer();
const send = (bytes: Buffer | string, name: string) =>
  uploadAsVisitor(server, site, vera, typeof bytes === 'string' ? bytes : new Uint8Array(bytes), { name });
const fetched = async (url: string) => Buffer.from(await (await fetch(server.url + url)).arrayBuffer());

/** A PNG that says it is very large, and is not. */
function boastfulPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.set([8, 2, 0, 0, 0], 16);
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), header, Buffer.from('0000000049444154', 'hex')]);
}

test('a photo is rotated upright and its metadata removed', async () => {
  const sent = await photo();
  expect((await sharp(sent).metadata()).exif?.includes('Spycam')).toBe(true);
  const { file } = (await send(sent, 'holiday.JPEG')).body.data.message;
  expect(file).toMatchObject({ name: 'holiday.JPEG', mime: 'image/jpeg', width: 40, height: 60 });
  const shown = await fetched(file.url);
  expect(shown.length).toBe(file.size);
  const { exif, icc, xmp, iptc, orientation } = await sharp(shown).metadata();
  expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
  for (const trace of ['Spycam', 'Exif', 'GPS']) expect(shown.includes(trace)).toBe(false);
});

test('an animated picture stays animated', async () => {
  const frame = (background: string) =>
    sharp({ create: { width: 20, height: 10, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = [await frame('red'), await frame('blue'), await frame('green')];
  for (const format of ['gif', 'webp'] as const) {
    const sent = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    const { file } = (await send(sent, `moving.${format}`)).body.data.message;
    expect(file).toMatchObject({ mime: `image/${format}`, width: 20, height: 10 });
    expect((await sharp(await fetched(file.url)).metadata()).pages).toBe(3);
  }
});

test('data after or between the pixels is removed', async () => {
  const script = '<script>alert(1)</script>';
  const polyglots: [string, Buffer][] = [
    ['a.gif', Buffer.concat([await plain(9, 9).gif().toBuffer(), Buffer.from(script)])],
    ['b.jpg', Buffer.concat([await photo(), Buffer.from(`PK\u0003\u0004${script}`)])],
    [
      'c.png',
      await plain(9, 9)
        .withExif({ IFD0: { ImageDescription: script } })
        .png()
        .toBuffer(),
    ],
  ];
  for (const [name, bytes] of polyglots) {
    expect(bytes.includes(script)).toBe(true);
    const { file } = (await send(bytes, name)).body.data.message;
    expect((await fetched(file.url)).includes('script')).toBe(false);
  }
});

test('the type is detected from the content, and the name gets the matching extension', async () => {
  const png = await plain(9, 9).png().toBuffer();
  for (const [given, kept] of [
    ['page.html', 'page.html.png'],
    ['cat.jpg', 'cat.jpg.png'],
    ['cat.PNG', 'cat.PNG'],
  ] as const) {
    const { file } = (await send(png, given)).body.data.message;
    expect([file.name, file.mime]).toEqual([kept, 'image/png']);
  }
});

test('a damaged, truncated or too large picture is refused, and nothing is stored', async () => {
  const whole = await sharp(randomBytes(90_000), { raw: { width: 200, height: 150, channels: 3 } })
    .png()
    .toBuffer();
  const stored = await FileModel.countDocuments({});
  const damaged = 'This picture is damaged or incomplete and cannot be sent.';
  const tooLarge = 'This picture has too many pixels: at most 50 million can be sent.';
  for (const [bytes, message] of [
    [whole.subarray(0, whole.length / 2), damaged],
    [Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), randomBytes(500)]), damaged],
    [boastfulPng(60_000, 60_000), tooLarge],
  ] as const) {
    const sent = await send(bytes, 'x.png');
    expect([sent.status, sent.body.message]).toEqual([422, message]);
  }
  expect(await FileModel.countDocuments({})).toBe(stored);
});

const bare = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2d6cdf' }, limitInputPixels: false });

test.each([
  ['gif', 10, 'in all its frames can be sent.'],
  ['webp', 16, 'can be sent as WebP.'],
] as const)('a small %s that decompresses to a huge picture is refused at once', async (format, most, rest) => {
  const bomb = await bare(7000, 7000).toFormat(format, { effort: 1 }).toBuffer();
  expect(bomb.length).toBeLessThan(100_000);
  const sent = await send(bomb, `bomb.${format}`);
  const message = `This picture has too many pixels: at most ${most} million ${rest}`;
  expect([sent.status, sent.body.message]).toEqual([422, message]);
});

test('the frames of an animation are counted together', async () => {
  const frames = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      sharp({ create: { width: 1200, height: 1200, channels: 3, background: { r: i * 30, g: 9, b: 9 } } })
        .png()
        .toBuffer(),
    ),
  );
  const sent = await send(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
    'x.gif',
  );
  expect([sent.status, sent.body.message]).toEqual([
    422,
    'This picture has too many pixels: at most 10 million in all its frames can be sent.',
  ]);
});

test('large photos are scaled down, and large drawings become WebP with their transparency', async () => {
  const photo = await bare(8000, 6000).jpeg().toBuffer();
  expect((await send(photo, 'large.jpg')).body.data.message.file).toMatchObject({
    name: 'large.jpg',
    mime: 'image/jpeg',
    width: 4096,
    height: 3072,
  });
  const drawing = await sharp({ create: { width: 3000, height: 2000, channels: 4, background: '#2d6cdf80' } })
    .png()
    .toBuffer();
  const { file } = (await send(drawing, 'drawing.png')).body.data.message;
  expect(file).toMatchObject({ name: 'drawing.png.webp', mime: 'image/webp', width: 3000, height: 2000 });
  expect((await sharp(await fetched(file.url)).metadata()).hasAlpha).toBe(true);
});

test.each(['tiff', 'heif'] as const)('a picture of another format (%s) is stored unchanged', async (format) => {
  const options = format === 'heif' ? { compression: 'av1' as const } : {};
  const sent = await plain(9, 9).toFormat(format, options).toBuffer();
  const { file } = (await send(sent, `x.${format}`)).body.data.message;
  const answer = await fetch(server.url + file.url);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
});

describe('profile pictures and logos', () => {
  const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
  const profile = (token: string, avatar: unknown) => server.api('PUT /auth/profile', { token, body: { avatar } });
  const settings = (token: string, section: string, data: object) =>
    server.api('PATCH /settings', { token, body: { section, data } });
  const alive = async (url: string) => (await fetch(server.url + url)).status;

  test('become a square without metadata, shown wherever the person appears, until replaced', async () => {
    const { token } = owner;
    const { user } = (await profile(token, dataUrl(await photo(), 'text/html'))).body.data;
    expect(user.avatar).toMatch(/^\/api\/files\/[\w-]{43}$/);
    const shown = await sharp(await fetched(user.avatar)).metadata();
    expect([shown.width, shown.height, shown.exif, shown.format]).toEqual([40, 40, undefined, 'jpeg']);
    expect((await server.api('GET /settings', { token })).body.data.settings.account.avatar).toBe(user.avatar);

    const chat = (await send('Hello', 'hello.txt')).body.data.chat._id;
    const said = await server.api(`POST /chats/${chat}/messages`, { token, body: { content: 'Hi' } });
    expect(said.body.data.message.senderAvatar).toBe(user.avatar);
    const thread = await visitAgain();
    expect(thread.chat.agent).toEqual({ name: owner.user.name, avatar: user.avatar });
    expect(thread.messages.at(-1).senderAvatar).toBe(user.avatar);

    const large = await plain(900, 700).webp().toBuffer();
    const next = (await settings(token, 'account', { avatar: dataUrl(large) })).body.data.settings.account.avatar;
    expect((await sharp(await fetched(next)).metadata()).width).toBe(512);
    expect([await alive(user.avatar), await alive(next)]).toEqual([404, 200]);
    expect((await visitAgain()).messages.at(-1).senderAvatar).toBe(next);
    expect((await profile(token, null)).body.data.user.avatar).toBeNull();
    expect([await alive(next), (await visitAgain()).chat.agent.avatar]).toEqual([404, null]);
  });

  const visitAgain = async () => {
    const body = { visitorToken: vera.visitorToken };
    return (await server.api(`POST /widget/${site.widgetCode}/session`, { body })).body.data;
  };

  test("a logo is in the config of the owner's widgets", async () => {
    const logo = dataUrl(await plain(30, 30).gif().toBuffer());
    const kept = (await settings(owner.token, 'widget', { logo })).body.data.settings.widget.logo;
    const config = async () => (await server.api(`GET /widget/${site.widgetCode}`)).body.data.logo;
    expect([await config(), await alive(kept)]).toEqual([kept, 200]);
    await settings(owner.token, 'widget', { logo: null });
    expect([await config(), await alive(kept)]).toEqual([null, 404]);
  });

  test('have at most 256 kB, and other request bodies are smaller', async () => {
    const noise = (side: number) =>
      sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
        .png({ compressionLevel: 0 })
        .toBuffer();
    const under = await noise(290);
    expect(under.length).toBeGreaterThan(245_000);
    expect((await profile(owner.token, dataUrl(under))).status).toBe(200);
    expect((await profile(owner.token, dataUrl(await noise(300)))).status).toBe(422);
    expect((await profile(owner.token, dataUrl(await noise(400)))).status).toBe(413);
    const elsewhere = { name: 'x', domain: 'x.example.com', more: dataUrl(under) };
    expect((await server.api('POST /sites', { token: owner.token, body: elsewhere })).status).toBe(413);
  });

  test.each([
    ['a web address', 'https://example.com/me.png'],
    ['something else', 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='],
    ['text', 'data:image/png;base64,aGVsbG8='],
    ['invalid base64', 'data:image/png;base64,%%%'],
    ['a number', 5],
    ['a list', []],
  ])('%s is refused as a picture', async (_what, given) => {
    const stored = await FileModel.countDocuments({});
    const message = 'A picture must be a PNG, JPEG, WebP or GIF of up to 256 kB.';
    const answers = [await profile(owner.token, given), await settings(owner.token, 'widget', { logo: given })];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [422, message],
      [422, message],
    ]);
    expect(await FileModel.countDocuments({})).toBe(stored);
  });
});
