import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { BROWSER, createSite, join, PASSWORD, say, signUp, until, visit } from './factories.ts';
import type { Api, TestServer } from './harness.ts';
import { endedImport, fileOfChats, PLAN, uploadHistory } from './pastChats.ts';
import { uploadToChat } from './uploads.ts';

const STORED = fileURLToPath(new URL('./releases/', import.meta.url));
const DATA = '.mdb.gz';
const ABOUT = '.json.gz';
const SECRETS = ['jwt-secret', 'data-key', 'vapid-key'];
/**
 * Fields that go on changing after a release was stored, that say when or from where something is asked for, or that later
 * versions show otherwise on purpose.
 */
const VOLATILE =
  /^(online|lastSeen|lastSeenAt|lastUsedAt|lastActive|lastActivityAt|away|snoozedUntil|expiresAt|usage|current|token|usualReplyMinutes)$/;

/** Who asks, and what. */
interface Look {
  /** The e-mail address of an account, or a token. */
  as: string;
  call: string;
  /** It is about the last days: asked for as if it were the day on which the release was stored. By an API key: sessions expire. */
  onTheDay?: boolean;
}

/** What is stored of a release beside its data file. */
export interface StoredRelease {
  /** The version of its data (`LAST_RELEASE` in `migrations/steps.ts`). */
  dataVersion: number;
  /** When it was stored, in milliseconds. */
  at: number;
  secrets: Record<string, string>;
  /** What people saw. */
  seen: (Look & { answer: unknown })[];
}

/** The names of the stored releases. */
export const storedReleases = (): string[] =>
  readdirSync(STORED)
    .filter((name) => name.endsWith(DATA))
    .map((name) => name.slice(0, -DATA.length));

export function readRelease(name: string): StoredRelease {
  const stored: StoredRelease = JSON.parse(gunzipSync(readFileSync(path.join(STORED, `${name}${ABOUT}`))).toString());
  return { ...stored, seen: stored.seen.map((one) => ({ ...one, answer: lasting(one.answer) })) };
}

/** Unpacks a release's data folder into a new one. */
export function unpackRelease(name: string): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-release-'));
  mkdirSync(path.join(dataDir, 'store'));
  writeFileSync(path.join(dataDir, 'store/data.mdb'), gunzipSync(readFileSync(path.join(STORED, `${name}${DATA}`))));
  for (const [secret, value] of Object.entries(readRelease(name).secrets))
    writeFileSync(path.join(dataDir, secret), value, { mode: 0o600 });
  return dataDir;
}

/** Stores the data folder of a server that has stopped. */
export function packRelease(name: string, dataDir: string, about: Omit<StoredRelease, 'secrets'>): void {
  const secrets = Object.fromEntries(
    SECRETS.map((secret) => [secret, readFileSync(path.join(dataDir, secret), 'utf8')]),
  );
  const store = (ending: string, content: string | Buffer) =>
    writeFileSync(path.join(STORED, `${name}${ending}`), gzipSync(content, { level: 9 }));
  store(DATA, readFileSync(path.join(dataDir, 'store/data.mdb')));
  store(ABOUT, JSON.stringify({ ...about, secrets }));
}

/** Asks again for what people saw. @param at when the release was stored, in milliseconds */
export async function look(
  { api, advance }: TestServer,
  looks: Look[],
  at = Date.now(),
): Promise<StoredRelease['seen']> {
  const tokens = new Map<string, string>();
  const seen: StoredRelease['seen'] = [];
  const later = looks.filter(({ onTheDay }) => onTheDay);
  for (const one of [...looks.filter(({ onTheDay }) => !onTheDay), ...later]) {
    const { as, call } = one;
    if (one === later[0]) advance(at - Date.now());
    if (as.includes('@') && !tokens.has(as)) {
      const { body } = await api('POST /auth/login', { body: { email: as, password: PASSWORD } });
      tokens.set(as, body.data.token);
    }
    const { status, body } = await api(call, { token: tokens.get(as) ?? as });
    seen.push({ ...one, answer: lasting({ status, body }) });
  }
  return seen;
}

/** An answer without what goes on changing. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => !VOLATILE.test(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, lasting(part)]));
}

/** Makes the data of a release, through calls only. @returns what to look at */
export async function makeRelease(server: TestServer): Promise<Look[]> {
  const { api, url } = server;
  const owner = await signUp(api, 'Olga Owner');
  const agent = await signUp(api, 'Ann Agent');
  const asOwner = callsOf(api, owner.token);
  const asAgent = callsOf(api, agent.token);
  const site = await createSite(api, owner.token);
  await join(site, agent, 'agent');
  await asOwner(`PATCH /sites/${site._id}`, { settings: { autoCloseHours: 0, offlineMessage: 'Leave us a line' } });

  const waiting = await visit(api, site, { visitor: { name: 'Wanda Waits', email: 'wanda@example.com' } });
  const waitingChat = await say(api, site, waiting, 'Is anybody there?');
  const active = await visit(api, site, { visitor: { name: 'Abel Active' } });
  const activeChat = await say(api, site, active, 'Where is my zeppelin?');
  await asAgent(`POST /chats/${activeChat}/claim`, {});
  await asAgent(`POST /chats/${activeChat}/messages`, { content: 'On its way, with a parcel' });
  await asAgent(`PUT /chats/${activeChat}/tags`, { tags: ['delivery', 'vip'] });
  await asAgent(`POST /chats/${activeChat}/notes`, { content: `@Olga Owner please look`, mentions: [owner.user._id] });
  const invoice = { name: 'invoice.txt', type: 'text/plain' };
  const { body } = await uploadToChat(server, agent.token, activeChat, 'One zeppelin, 3 EUR', invoice);
  const file: string = body.data.message.file.url;
  const transferred = await say(
    api,
    site,
    await visit(api, site, { visitor: { name: 'Tom Transferred' } }),
    'Ask me next year',
  );
  await asAgent(`POST /chats/${transferred}/claim`, {});
  await asAgent(`POST /chats/${transferred}/transfer`, { userId: owner.user._id });
  await asOwner(`POST /chats/${transferred}/messages`, { content: 'Gladly' });
  const rated = await visit(api, site, { visitor: { name: 'Rita Rates', email: 'rita@example.com' } });
  const ratedChat = await say(api, site, rated, 'Quick question');
  await asAgent(`POST /chats/${ratedChat}/claim`, {});
  await asAgent(`POST /chats/${ratedChat}/close`, {});
  const rating = { token: rated.visitorToken, body: { chatId: ratedChat, score: 5, comment: 'Quick answer' } };
  await api(`POST /widget/${site.widgetCode}/rating`, rating);
  const reopened = await say(api, site, await visit(api, site, { visitor: { name: 'Ron Returns' } }), 'It broke');
  await asAgent(`POST /chats/${reopened}/claim`, {});
  await asAgent(`POST /chats/${reopened}/close`, {});
  await asOwner(`POST /chats/${reopened}/reopen`, {});
  await asOwner(`PUT /visitors/${(await chatOf(asOwner, activeChat)).visitorId}/note`, { content: 'Flies a lot' });

  await asOwner('POST /canned-replies', { siteId: site._id, shortcut: 'hi', content: 'Hello {{visitor.name}}' });
  await asAgent('POST /canned-replies', { siteId: site._id, shortcut: 'me', content: 'Ann here', personal: true });
  await asOwner('POST /inbox/views', { name: 'Deliveries', siteId: site._id, tag: 'delivery' });
  const { key } = await asOwner('POST /api-keys', { name: 'Till', scope: 'read', currentPassword: PASSWORD });
  const hook = { url: 'https://hooks.example.com/parley', events: ['chat.opened'] };
  await asOwner(`POST /sites/${site._id}/webhooks`, hook);
  await asOwner('POST /team/invites', { siteId: site._id, email: 'ivy@example.com', role: 'viewer' });
  const history = await uploadHistory(url, owner.token, site._id, fileOfChats(2));
  await asOwner(`POST /sites/${site._id}/imports/${history._id}/run`, { ...PLAN, dryRun: false });
  await endedImport(api, owner.token, site._id, history._id);

  const both = [
    'GET /auth/profile',
    `GET /chats/site/${site._id}?limit=50`,
    `GET /canned-replies?siteId=${site._id}`,
    'GET /inbox/counts',
    'GET /inbox/views',
  ];
  const chats = [waitingChat, activeChat, transferred, ratedChat, reopened];
  const ofOwner = [
    'GET /settings',
    'GET /sites',
    `GET /team/members?siteId=${site._id}`,
    ...['active', 'waiting', 'closed'].map((status) => `GET /chats?status=${status}`),
    'GET /chats?search=zeppelin',
    'GET /chats/history?limit=50',
    ...chats.flatMap((chat) => ['', '/messages', '/notes'].map((part) => `GET /chats/${chat}${part}`)),
    'GET /inbox/tags',
    'GET /search?q=parcel',
    'GET /search?q=number1',
    'GET /api-keys',
    `GET /sites/${site._id}/webhooks`,
  ];
  const looks = [
    ...[...both, ...ofOwner].map((call) => ({ as: owner.user.email, call })),
    ...both.map((call) => ({ as: agent.user.email, call })),
    { as: key as string, call: `GET /chats/${activeChat}/messages` },
    { as: '', call: `GET ${file.slice('/api'.length)}` },
    { as: '', call: `GET /widget/${site.widgetCode}` },
    ...[`GET /reports?siteId=${site._id}&days=7`, 'GET /overview'].map((call) => ({
      as: key as string,
      call,
      onTheDay: true,
    })),
  ];
  // Rows, the search and the figures follow the messages.
  await until(async () => {
    const [before, after] = [await look(server, looks), await look(server, looks)];
    const isFound = JSON.stringify(after).match(/number1/g)?.length;
    return isFound && JSON.stringify(before) === JSON.stringify(after);
  });
  return looks;
}

/** Calls of one person, which must succeed. */
function callsOf(api: Api, token: string) {
  return async (call: string, body?: object) => {
    const answer = await api(call, { token, ...(body && { body }), headers: BROWSER });
    if (answer.status >= 400) throw new Error(`${call}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
}

const chatOf = async (calls: ReturnType<typeof callsOf>, id: string) => (await calls(`GET /chats/${id}`)).chat;
