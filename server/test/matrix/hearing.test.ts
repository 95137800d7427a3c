import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeResetLink } from '../../src/features/auth/reset.ts';
import { catalogue } from '../../src/platform/http/endpoint/catalogue.ts';
import { type Account, join, signUp, until } from '../factories.ts';
import { startServer, type TestServer } from '../harness.ts';
import { connectStaff, connectVisitor, type Ear, hangUp } from '../sockets.ts';
import { makeWorld, type World } from './world.ts';

/** Everybody of one row, at work: the member and the visitor have the chat open when something is taken from them. */
interface Stage {
  world: World;
  owner: Account;
  member: Account;
  /** The member's other device. */
  otherToken: string;
  /** The owner's dashboard, which goes on hearing. */
  control: Ear;
  memberEar: Ear;
  visitorEar: Ear;
}

/** One way in which somebody loses something. */
interface Row {
  call: string;
  what: string;
  /** Who hears the other before, and must not after. */
  ear: 'member' | 'visitor' | 'control';
  /** Whom the ear hears. */
  mouth: 'member' | 'visitor' | 'owner';
  change: (stage: Stage) => Promise<{ status: number }>;
}

const server: TestServer = await startServer({ sitesPerAccount: 1000 });
let platformAdmin: Account;

beforeAll(async () => {
  platformAdmin = await signUp(server.api, 'platformAdmin');
});
afterEach(hangUp);
afterAll(() => server.stop());

const asOwner = ({ owner }: Stage, call: string, body: object = {}) => server.api(call, { token: owner.token, body });
const siteOf = ({ world }: Stage) => world.ids.site;

const removed = (stage: Stage) =>
  asOwner(stage, `DELETE /team/members/${stage.member.user._id}`, { siteId: siteOf(stage) });
const siteDeleted = (stage: Stage) => asOwner(stage, `DELETE /sites/${siteOf(stage)}`);
const erased = (stage: Stage) => asOwner(stage, `DELETE /visitors/${stage.world.ids.visitor}`);

const toMember = { ear: 'member', mouth: 'visitor' } as const;
const toVisitor = { ear: 'visitor', mouth: 'owner' } as const;

const ROWS: Row[] = [
  { call: 'DELETE /team/members/:id', what: 'a removed member', ...toMember, change: removed },
  {
    call: 'DELETE /team/members/me',
    what: 'a member who left the team',
    ...toMember,
    change: (stage) =>
      server.api('DELETE /team/members/me', { token: stage.member.token, body: { siteId: siteOf(stage) } }),
  },
  {
    call: 'PATCH /team/members/:id',
    what: 'a visitor, of a member made a viewer',
    ear: 'visitor',
    mouth: 'member',
    change: (stage) =>
      asOwner(stage, `PATCH /team/members/${stage.member.user._id}`, { siteId: siteOf(stage), role: 'viewer' }),
  },
  {
    call: 'PATCH /admin/users/:id',
    what: 'a suspended account',
    ...toMember,
    change: ({ member }) =>
      server.api(`PATCH /admin/users/${member.user._id}`, { token: platformAdmin.token, body: { suspended: true } }),
  },
  {
    call: 'DELETE /auth/account',
    what: 'a deleted account',
    ...toMember,
    change: ({ otherToken, member }) =>
      server.api('DELETE /auth/account', { token: otherToken, body: { currentPassword: member.password } }),
  },
  {
    call: 'DELETE /auth/sessions/:id',
    what: 'a device signed out from another one',
    ...toMember,
    change: async ({ otherToken }) => {
      const { body } = await server.api('GET /auth/sessions', { token: otherToken });
      const devices: { _id: string; current: boolean }[] = body.data.sessions;
      const other = devices.find(({ current }) => !current)?._id;
      return server.api(`DELETE /auth/sessions/${other}`, { token: otherToken, body: {} });
    },
  },
  {
    call: 'PUT /auth/password',
    what: 'a device that held the old password',
    ...toMember,
    change: ({ otherToken, member }) => {
      const body = { currentPassword: member.password, newPassword: 'loud-heron-glides' };
      return server.api('PUT /auth/password', { token: otherToken, body });
    },
  },
  {
    call: 'POST /auth/reset',
    what: 'a device, after a forgotten password',
    ...toMember,
    change: async ({ member }) => {
      const link = await makeResetLink(new Types.ObjectId(member.user._id), Date.now());
      return server.api('POST /auth/reset', { body: { token: link.split('#')[1], newPassword: 'loud-heron-glides' } });
    },
  },
  {
    call: 'POST /auth/logout',
    what: 'a device that logged out',
    ...toMember,
    change: ({ member }) => server.api('POST /auth/logout', { token: member.token, body: {} }),
  },
  { call: 'DELETE /sites/:id', what: 'a member of a deleted site', ...toMember, change: siteDeleted },
  { call: 'DELETE /sites/:id', what: 'a visitor of a deleted site', ...toVisitor, change: siteDeleted },
  {
    call: 'PATCH /sites/:id',
    what: 'a visitor where the widget was switched off',
    ...toVisitor,
    change: (stage) => asOwner(stage, `PATCH /sites/${siteOf(stage)}`, { widgetEnabled: false }),
  },
  {
    call: 'PUT /sites/:id',
    what: 'a visitor on a page that may not carry the widget any more',
    ...toVisitor,
    change: (stage) => {
      const { name, domain } = stage.world.site;
      const settings = { allowedDomains: ['elsewhere.example.com'] };
      return asOwner(stage, `PUT /sites/${siteOf(stage)}`, { name, domain, settings });
    },
  },
  {
    call: 'POST /sites/:id/widget-code',
    what: 'a visitor of a widget whose code was changed',
    ...toVisitor,
    change: (stage) => asOwner(stage, `POST /sites/${siteOf(stage)}/widget-code`),
  },
  { call: 'DELETE /visitors/:id', what: 'an erased visitor', ...toVisitor, change: erased },
  { call: 'DELETE /visitors/:id', what: 'a member, of an erased visitor', ...toMember, change: erased },
  {
    call: 'DELETE /widget/:widgetCode/me',
    what: 'a visitor who erased himself',
    ...toVisitor,
    change: ({ world }) =>
      server.api(`DELETE /widget/${world.site.widgetCode}/me`, { token: world.session.visitorToken }),
  },
  {
    call: 'POST /visitors/:id/block',
    what: 'a team, of a blocked visitor',
    ear: 'control',
    mouth: 'visitor',
    change: (stage) => asOwner(stage, `POST /visitors/${stage.world.ids.visitor}/block`),
  },
];

/** Calls that change something, and take from nobody what he hears. A new call has to be put here, or into the rows. */
const OF_NOBODYS_HEARING = [
  ...[
    'POST /api-keys',
    'DELETE /api-keys/:id',
    'DELETE /canned-replies/:id',
    'POST /canned-replies/:id/files',
    'POST /canned-replies/import',
    'DELETE /chats/:id',
    'DELETE /push/subscriptions',
    'DELETE /team/invites/:inviteId',
  ],
  ...['DELETE /visitors/:id/block', 'PATCH /canned-replies/:id', 'PATCH /settings', 'POST /auth/forgot'],
  ...['POST /auth/email/link', 'POST /auth/email/confirm'],
  ...['POST /auth/oidc/start', 'POST /auth/oidc/exchange', 'POST /auth/oidc/connect', 'POST /auth/oidc/connection'],
  // Only the provider can end sessions by it: `server/src/features/oidc/logout.test.ts` has the sockets.
  ...['DELETE /auth/oidc/connection', 'POST /auth/oidc/backchannel-logout'],
  ...['POST /auth/login', 'POST /auth/refresh', 'POST /auth/register', 'POST /auth/two-factor/disable'],
  ...['POST /auth/two-factor/enable', 'POST /auth/two-factor/recovery-codes', 'POST /auth/two-factor/setup'],
  ...['POST /canned-replies', 'POST /chats/:id/claim', 'POST /chats/:id/close'],
  ...['POST /chats/:id/draft', 'POST /chats/:id/files'],
  ...['POST /chats/:id/reopen', 'PATCH /chats/:id/messages/:messageId', 'DELETE /chats/:id/messages/:messageId'],
  ...['POST /sites/:id/departments', 'PUT /sites/:id/departments', 'PUT /chats/:id/department'],
  ...['PATCH /sites/:id/departments/:departmentId', 'DELETE /sites/:id/departments/:departmentId'],
  ...['POST /sites/:id/rules', 'PUT /sites/:id/rules', 'PATCH /sites/:id/rules/:ruleId'],
  ...['DELETE /sites/:id/rules/:ruleId', 'POST /sites/:id/rules/trial'],
  ...['PATCH /visitors/:id', 'PUT /visitors/:id/note', 'DELETE /visitors/:id/bounce'],
  ...['POST /chats/:id/message', 'POST /chats/:id/messages', 'POST /chats/:id/notes', 'POST /chats/:id/read'],
  ...['POST /chats/:id/unread', 'POST /chats/:id/mentions/read'],
  ...['POST /chats/bulk', 'POST /chats/:id/unread', 'PUT /chats/:id/snooze', 'DELETE /chats/:id/snooze'],
  ...['POST /chats/:id/tags', 'POST /chats/:id/transfer', 'POST /invites/:inviteId/accept', 'POST /push/subscriptions'],
  ...['POST /chats/bulk', 'POST /notifications/actions'],
  ...['POST /sites/:id/imports', 'POST /sites/:id/imports/:importId/run', 'DELETE /sites/:id/imports/:importId'],
  ...['POST /sites/:id/webhooks', 'PATCH /sites/:id/webhooks/:webhookId', 'DELETE /sites/:id/webhooks/:webhookId'],
  ...['POST /sites/:id/webhooks/:webhookId/secret', 'POST /sites/:id/webhooks/:webhookId/test'],
  'POST /sites/:id/webhooks/:webhookId/deliveries/:deliveryId/resend',
  ...['POST /self-check/mail', 'POST /self-check/push', 'POST /self-check/model'],
  ...['POST /self-check/mail-in', 'POST /mail/in'],
  ...['POST /sites', 'POST /sites/:id/identity-secret'],
  ...['POST /sites/:id/owner', 'POST /team/invites', 'POST /team/invites/:inviteId/resend', 'POST /visitors/:id/chats'],
  ...['POST /widget/:widgetCode/files', 'POST /widget/:widgetCode/messages', 'POST /widget/:widgetCode/offline'],
  ...['POST /widget/:widgetCode/rating', 'POST /widget/:widgetCode/resume', 'POST /widget/:widgetCode/session'],
  ...['POST /widget/:widgetCode/greetings', 'POST /widget/:widgetCode/articles/:slug/feedback'],
  ...['PATCH /sites/:id/assistant', 'POST /chats/:id/assistant', 'POST /chats/:id/suggestions/accepted'],
  ...['PUT /sites/:id/assistant/tests', 'POST /sites/:id/assistant/tests/run', 'POST /sites/:id/assistant/try'],
  ...['PATCH /sites/:id/help-center', 'PUT /sites/:id/help-center/categories', 'PUT /sites/:id/articles/order'],
  ...['POST /sites/:id/articles', 'POST /sites/:id/articles/preview', 'POST /sites/:id/articles/import'],
  ...['POST /sites/:id/articles/import-pages', 'DELETE /sites/:id/articles/questions/:questionId'],
  ...['PATCH /articles/:id', 'DELETE /articles/:id', 'PUT /articles/:id/texts/:lang', 'POST /articles/:id/publish'],
  ...['DELETE /articles/:id/texts/:lang', 'POST /articles/:id/pictures'],
  'POST /articles/:id/versions/:versionId/restore',
  ...['POST /widget/:widgetCode/poll', 'POST /widget/:widgetCode/requests'],
  ...['POST /inbox/views', 'PUT /inbox/views', 'PUT /inbox/views/:id', 'DELETE /inbox/views/:id'],
  ...['POST /widget/:widgetCode/transcript', 'PUT /auth/profile', 'PUT /chats/:id/tags'],
];

test('every call that changes data has a row, or is listed as one after which nobody gains or loses events', () => {
  const changing = [...catalogue.calls.keys()].filter((call) => !call.startsWith('GET '));
  const rows = ROWS.map(({ call }) => call);
  expect([...new Set([...rows, ...OF_NOBODYS_HEARING])].sort()).toEqual(changing.sort());
});

async function setStage(): Promise<Stage> {
  const [owner, member] = [await signUp(server.api, 'owner'), await signUp(server.api, 'member')];
  const world = await makeWorld(server.api, owner);
  await join(world.site, member, 'agent');
  const login = { email: member.user.email, password: member.password };
  const otherToken = (await server.api('POST /auth/login', { body: login })).body.data.token;
  const stage = {
    world,
    owner,
    member,
    otherToken,
    control: await connectStaff(server.url, owner.token),
    memberEar: await connectStaff(server.url, member.token),
    visitorEar: await connectVisitor(server.url, world.session.visitorToken, { Origin: 'https://shop.example.com' }),
  };
  const chatId = world.ids.chat;
  for (const ear of [stage.control, stage.memberEar]) await ear.ask('open_chat', { chatId });
  await stage.visitorEar.ask('sync', {});
  return stage;
}

/** Has somebody say something, in whatever way is still open; says whether it was taken. */
async function speak(stage: Stage, mouth: Row['mouth'], content: string): Promise<boolean> {
  const { world, visitorEar, memberEar, owner } = stage;
  const message = { clientId: randomUUID(), content };
  if (mouth === 'owner') {
    const { status } = await server.api(`POST /chats/${world.ids.chat}/messages`, {
      token: owner.token,
      body: message,
    });
    return status === 201;
  }
  if (mouth === 'member') return (await memberEar.ask('send_message', { ...message, chatId: world.ids.chat })).ok;
  if (visitorEar.socket.connected) return (await visitorEar.ask('send_message', message)).ok;
  const path = `POST /widget/${world.site.widgetCode}/messages`;
  return (await server.api(path, { token: world.session.visitorToken, body: message })).status === 201;
}

const hears = (ear: Ear, content: string) =>
  ear.heard('new_message').some(({ message }) => message.content === content);

/** Everything that a socket is sent was sent before what it asked is answered; one that is closed hears nothing. */
async function settled({ socket, ask }: Ear): Promise<void> {
  if (!socket.connected) return;
  const isStaff = (socket as unknown as { nsp: string }).nsp === '/';
  const asked = isStaff ? ask('leave_chat', { chatId: 'a'.repeat(24) }) : ask('sync', {});
  await asked.catch(() => undefined);
}

/** What tells of a chat, a visitor or the team at work. */
const EVENTS = ['new_message', 'chat_updated', 'new_chat', 'typing', 'receipts', 'viewers', 'note_added'];
const count = (ear: Ear) => EVENTS.flatMap((event) => ear.heard(event)).length;

describe('who receives events afterwards', () => {
  test.each(ROWS)('$call: $what', async ({ ear: whose, mouth, change }) => {
    const stage = await setStage();
    const ear = { member: stage.memberEar, visitor: stage.visitorEar, control: stage.control }[whose];

    expect(await speak(stage, mouth, 'Before')).toBe(true);
    await until(async () => hears(ear, 'Before') && hears(stage.control, 'Before'));

    expect((await change(stage)).status).toBe(200);
    await settled(ear);
    const before = count(ear);
    const isTaken = await speak(stage, mouth, 'After');
    // What is said all the same reaches those who may hear it, so that silence means something.
    if (isTaken) await until(async () => hears(stage.control, 'After'));
    await settled(ear);
    expect(hears(ear, 'After')).toBe(false);
    if (isTaken) expect(count(ear)).toBe(before);
  });
});
