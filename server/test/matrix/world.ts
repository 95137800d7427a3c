import { randomUUID } from 'node:crypto';
import { deserialize } from 'bson';
import type { Ability, Site, VisitorSession } from '../../contract.ts';
import { connection } from '../../src/platform/database/connection.ts';
import { queueIdle } from '../../src/platform/work/keyedQueue.ts';
import { type Account, createSite, join, PASSWORD, say, signUp, visit } from '../factories.ts';
import type { Api } from '../harness.ts';

/** Everybody who may come to a door. */
export const PEOPLE = [
  'anonymous',
  'stranger',
  'platformAdmin',
  'viewer',
  'agent',
  'admin',
  'owner',
  'visitor',
  'otherVisitor',
  'readKey',
  'replyKey',
  'manageKey',
  'agentKey',
  'elsewhereKey',
] as const;
export type Person = (typeof PEOPLE)[number];
type Staff = Exclude<Person, 'anonymous' | 'visitor' | 'otherVisitor' | KeyPerson>;

/** The API keys: whose they are, and what they may do. That for elsewhere is limited to another site of the owner. */
export const KEYS = {
  readKey: { of: 'owner', scope: 'read' },
  replyKey: { of: 'owner', scope: 'reply' },
  manageKey: { of: 'owner', scope: 'manage' },
  agentKey: { of: 'agent', scope: 'manage' },
  elsewhereKey: { of: 'owner', scope: 'manage' },
} as const;
export type KeyPerson = keyof typeof KEYS;

/** The people with accounts: they stay while the worlds come and go. */
export type Accounts = Record<Staff | 'outsider', Account>;

/** A site and one of everything that belongs to it. */
export interface World {
  site: Site;
  session: VisitorSession;
  ids: Record<Thing, string>;
}
export type Thing = 'site' | 'chat' | 'invite' | 'visitor' | 'reply' | 'message' | 'webhook' | 'article';

/** Signs everybody up; the first one is the platform's admin. */
export async function makeAccounts(api: Api): Promise<Accounts> {
  const accounts: Partial<Accounts> = {};
  for (const name of ['platformAdmin', 'stranger', 'viewer', 'agent', 'admin', 'owner', 'outsider'] as const)
    accounts[name] = await signUp(api, name);
  return accounts as Accounts;
}

/** A new site of `owner` with a chat, an invite, a canned reply, an article, a webhook, and the team given. */
export async function makeWorld(api: Api, owner: Account, team: Partial<Accounts> = {}): Promise<World> {
  const site = await createSite(api, owner.token);
  for (const role of ['viewer', 'agent', 'admin'] as const) if (team[role]) await join(site, team[role], role);
  // It gets nothing of what happens in this world.
  const body = { url: 'https://hooks.invalid/', events: ['visitor.identified'] };
  const hooked = await api(`POST /sites/${site._id}/webhooks`, { token: owner.token, body });
  const webhook = hooked.body.data.webhook._id;
  const invite = await makeInvite(api, owner, site);
  const reply = await makeReply(api, owner, site);
  const article = await makeArticle(api, owner, site);
  const { session, ids } = await makeChat(api, owner, site);
  return { site, session, ids: { site: site._id, webhook, invite, reply, article, ...ids } };
}

async function makeInvite(api: Api, { token }: Account, { _id: siteId }: Site): Promise<string> {
  const body = { siteId, email: `${randomUUID()}@example.com` };
  return (await api('POST /team/invites', { token, body })).body.data.invite._id;
}

async function makeReply(api: Api, { token }: Account, { _id: siteId }: Site): Promise<string> {
  const body = { siteId, shortcut: `hi-${randomUUID().slice(0, 8)}`, content: 'Hi there' };
  return (await api('POST /canned-replies', { token, body })).body.data.reply._id;
}

async function makeArticle(api: Api, { token }: Account, { _id }: Site): Promise<string> {
  return (await api(`POST /sites/${_id}/articles`, { token, body: { title: 'Returns' } })).body.data.article._id;
}

async function makeChat(api: Api, { token }: Account, site: Site) {
  const session = await visit(api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  const chat = await say(api, site, session, 'Hello');
  const { messages } = (await api(`GET /chats/${chat}/messages`, { token })).body.data;
  return { session, ids: { chat, visitor: session.visitor._id, message: String(messages[0]._id) } };
}

/** Makes the API keys. */
export async function makeKeys(api: Api, accounts: Accounts, elsewhere: Site): Promise<Record<KeyPerson, string>> {
  const keys: Partial<Record<KeyPerson, string>> = {};
  for (const [name, { of, scope }] of Object.entries(KEYS)) {
    const limit = name === 'elsewhereKey' && { siteIds: [elsewhere._id] };
    const body = { name, scope, currentPassword: PASSWORD, ...limit };
    keys[name as KeyPerson] = (await api('POST /api-keys', { token: accounts[of].token, body })).body.data.key;
  }
  return keys as Record<KeyPerson, string>;
}

/** A file with the history of another chat that waits to be imported. Few calls are about one, and each is read by a new thread. */
export async function importIn(api: Api, { ids }: World, { token }: Account): Promise<string> {
  const body = [{ id: 1, time: '2024-05-06', text: 'Hi', from: 'visitor' }];
  const uploaded = await api(`POST /sites/${ids.site}/imports?name=chats.json`, { token, body });
  return uploaded.body.data.import._id;
}

/** Collections that asking alone may change, or that follow the others a moment later. */
const FOLLOWING = new Set([
  'apiKeys',
  'sessions',
  'audit',
  'chatWords',
  'checkpoints',
  'countedChats',
  'figureBatches',
  'figures',
  'marks',
  'removals',
  'notices',
  'nodes',
  'usages',
  'webhookDeliveries',
]);
/** What follows a change of a document a moment later: its marks go, where a widget was seen and whether a webhook fails is noted. */
const FIELDS_FOLLOWING = { uncounted: 0, unapplied: 0, installation: 0, 'webhooks.failingSince': 0 };

/** Everything that is stored, as bytes: it is all read twice for each call, and only what differs is looked into. */
export type Stored = Set<string>;

/** All that is stored now. */
export async function everythingStored(): Promise<Stored> {
  await queueIdle();
  const stored: Stored = new Set();
  for (const collection of (await connection.db?.collections()) ?? []) {
    if (FOLLOWING.has(collection.collectionName)) continue;
    for await (const bytes of collection.find<Buffer>({}, { projection: FIELDS_FOLLOWING, raw: true }))
      stored.add(`${collection.collectionName}/${bytes.toString('latin1')}`);
  }
  return stored;
}

/** The documents that are other than before, or came, or went. */
export function changes(before: Stored, after: Stored): string[] {
  const [gone, come] = [[...before].filter((each) => !after.has(each)), [...after].filter((each) => !before.has(each))];
  return [...new Set([...gone, ...come].map(nameOf))];
}

function nameOf(stored: string): string {
  const slash = stored.indexOf('/');
  return `${stored.slice(0, slash)}/${deserialize(Buffer.from(stored.slice(slash + 1), 'latin1'))._id}`;
}

/** Who may make a call, and about what. A call without a rule fails the test. */
export type Rule =
  /** Everybody, also without a session. */
  | { open: true }
  /** Whoever is signed in, about himself or his own sites. */
  | { self: true; body?: object }
  /** Members of a site who may do this, about one of its things, which the call names in its path or by `siteId`. */
  | { ability: Ability; on: Thing; by?: 'path' | 'body' | 'query'; path?: (world: World) => string; body?: Body }
  /** The platform's admins, about an account where the path names one. `status`: where this server's settings lack what the call is about. */
  | { platform: true; body?: object; status?: number }
  /** The visitor, on the own site. */
  | { visitor: true; body?: Body };
type Body = (world: World) => object;
