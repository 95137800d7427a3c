import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, PASSWORD, say, signUp, until, visit } from '#test/factories';
import type { TestServer } from '#test/harness';
import { startCluster, type TestCluster } from '#test/nodes';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { HOUR_MS, MINUTE_MS } from '../time/time.ts';

const MESSAGES_MAX = 12;
const heard = (ear: Ear, event: string) => until(async () => ear.heard(event).length > 0 && ear.heard(event));

describe('two nodes', () => {
  let cluster: TestCluster;
  let [a, b]: TestServer[] = [];
  let owner: Account;
  let site: Site;

  beforeAll(async () => {
    cluster = await startCluster(2, {
      rateLimits: true,
      limits: { visitorMessages: MESSAGES_MAX, registerPerIp: 100 },
    });
    [a, b] = cluster.nodes;
    owner = await signUp(at(a).api, 'Olga Owner');
    site = await createSite(at(a).api, owner.token);
    const body = { settings: { typingPreview: true } };
    await at(a).api(`PATCH /sites/${site._id}`, { token: owner.token, body });
  });
  afterEach(hangUp);
  afterAll(() => cluster.stop());

  const at = (node: TestServer | undefined) => node as TestServer;

  /** A visitor on A with a chat, and a dashboard of the owner on B. */
  async function meet() {
    const agent = await connectStaff(at(b).url, owner.token);
    const session = await visit(at(a).api, site, { visitor: { name: 'Vera' } });
    const visitor = await connectVisitor(at(a).url, session.visitorToken);
    const { chat } = await visitor.ask('send_message', { clientId: randomUUID(), content: 'Hello from A' });
    await heard(agent, 'new_chat');
    const { ok } = await agent.ask('open_chat', { chatId: chat._id });
    expect(ok).toBe(true);
    return { agent, visitor, session, chatId: chat._id as string };
  }

  test('a visitor on one node and an agent on the other can chat', async () => {
    const { agent, visitor, chatId } = await meet();
    expect(agent.heard('new_message').map(({ message }) => message.content)).toEqual(['Hello from A']);

    await agent.ask('typing', { chatId, isTyping: true });
    expect((await heard(visitor, 'typing'))[0]).toEqual({ name: 'Olga Owner', isTyping: true });
    await agent.ask('send_message', { chatId, clientId: randomUUID(), content: 'Hello from B' });
    expect((await heard(visitor, 'new_message'))[0].message).toMatchObject({ content: 'Hello from B', seq: 2 });
    await until(async () => visitor.heard('typing').some(({ isTyping }) => !isTyping));
    expect((await heard(visitor, 'chat_claimed'))[0].agent.name).toBe('Olga Owner');

    const long = 'A long story. '.repeat(200).trim();
    await agent.ask('send_message', { chatId, clientId: randomUUID(), content: long });
    const read = await at(a).api(`GET /chats/${chatId}/messages`, { token: owner.token });
    await until(async () => visitor.heard('new_message').length === 2);
    expect(visitor.heard('new_message').map(({ message }) => message.content)).toEqual(['Hello from B', long]);
    // What was sent is what is stored.
    const [first] = agent.heard('new_message');
    expect(read.body.data.messages[0]).toEqual(first.message);

    await visitor.ask('read', { chatId, seq: 2 });
    await until(async () => agent.heard('receipts').some(({ party, read }) => party === 'visitor' && read === 2));
    await visitor.ask('typing', { isTyping: true, text: 'Thanks' });
    expect((await heard(agent, 'typing')).at(-1)).toMatchObject({
      chatId,
      from: 'visitor',
      isTyping: true,
      text: 'Thanks',
    });
    await agent.ask('close_chat', { chatId });
    await heard(visitor, 'chat_closed');
  });

  test('a message that an agent of one node corrects and deletes follows on the other, in the row and the list too', async () => {
    const { agent, visitor, chatId } = await meet();
    const { message } = await agent.ask('send_message', { chatId, clientId: randomUUID(), content: 'Typo' });
    await until(async () => visitor.heard('new_message').some((e) => e.message._id === message._id));
    const path = `/chats/${chatId}/messages/${message._id}`;
    const ask = { token: owner.token, body: { content: 'Corrected' } };
    for (const [node, call, text] of [
      [a, 'PATCH', 'Corrected'],
      [b, 'DELETE', ''],
    ] as const) {
      expect((await at(node).api(`${call} ${path}`, ask)).status).toBe(200);
      for (const ear of [agent, visitor])
        await until(async () => ear.heard('message_changed').some((e) => e.message.content === text));
      for (const each of [a, b])
        await until(async () => {
          const { body } = await at(each).api(`GET /chats/${chatId}`, { token: owner.token });
          return body.data.chat.lastMessage === text;
        });
    }
  });

  test('a chat that is marked as unread on one node is read on the other', async () => {
    const { agent, chatId } = await meet();
    await agent.ask('read', { chatId, seq: 1 });
    const unread = () => agent.heard('chat_updated').findLast(({ chat }) => chat._id === chatId)?.chat.unread;
    await until(async () => unread() === 0);
    await at(a).api(`POST /chats/${chatId}/unread`, { token: owner.token });
    await until(async () => unread() === 1);
    await agent.ask('read', { chatId, seq: 1 });
    await until(async () => unread() === 0);
  });

  test('presence is the same on both nodes, and ends with the last connection to any node', async () => {
    const { agent, visitor, chatId, session } = await meet();
    expect((await agent.ask('open_chat', { chatId })).visitor.online).toBe(true);
    const again = await connectVisitor(at(b).url, session.visitorToken);
    visitor.socket.disconnect();
    const other = await connectStaff(at(a).url, owner.token);
    const isOnline = async () => (await other.ask('open_chat', { chatId })).visitor.online;
    await expect.poll(isOnline).toBe(true);
    again.socket.disconnect();
    await until(async () => other.heard('user_offline').some((e) => e.kind === 'visitor' && e.chatId === chatId));
    await expect.poll(isOnline).toBe(false);
  });

  test('input on one node ends an absence on both', async () => {
    const ana = await signUp(at(a).api, 'Ana Ruiz');
    await join(site, ana, 'agent');
    const body = { section: 'availability', data: { autoAwayMinutes: 5 } };
    await at(a).api('PATCH /settings', { token: ana.token, body });
    const [onA] = [await connectStaff(at(a).url, ana.token), await connectStaff(at(b).url, ana.token)];
    const isOnline = async (node: TestServer | undefined) => {
      const { members } = (await at(node).api('GET /team/members', { token: owner.token })).body.data;
      return members.find(({ _id }: { _id: string }) => _id === ana.user._id).online;
    };
    for (const node of [a, b]) await until(async () => !(await isOnline(node)));
    expect(await onA.ask('report_activity', { idleMs: 0 })).toMatchObject({ away: false });
    for (const node of [a, b]) await until(() => isOnline(node));
    // Chosen on one node, heard by the other.
    const never = { ...body, data: { autoAwayMinutes: 0 } };
    expect((await at(a).api('PATCH /settings', { token: ana.token, body: never })).status).toBe(200);
    for (const node of [a, b]) await until(() => isOnline(node));
  });

  test('of two concurrent claims on two nodes one succeeds, and the other person is told who was faster', async () => {
    const ben = await signUp(at(b).api, 'Ben Okafor');
    await join(site, ben, 'agent');
    const [onA, onB] = [await connectStaff(at(a).url, owner.token), await connectStaff(at(b).url, ben.token)];
    for (let i = 0; i < 5; i++) {
      const session = await visit(at(i % 2 ? a : b).api, site, { visitor: { name: 'Vera' } });
      const chatId = await say(at(i % 2 ? b : a).api, site, session, 'Who takes it?');
      const claims = await Promise.all([onA, onB].map((ear) => ear.ask('claim_chat', { chatId })));
      expect(claims.filter(({ ok }) => ok)).toHaveLength(1);
      const winner = claims[0].ok ? owner : ben;
      for (const ear of [onA, onB])
        await until(async () =>
          ear.heard('chat_claimed').some((e) => e.chatId === chatId && e.claimedBy._id === winner.user._id),
        );
    }
  });

  test('of two concurrent reopenings on two nodes one succeeds; with a visitor who writes meanwhile, one chat is open', async () => {
    const ben = await signUp(at(b).api, 'Ben Okafor');
    await join(site, ben, 'agent');
    const reopen = (node: TestServer | undefined, chatId: string, { token }: Account) =>
      at(node).api(`POST /chats/${chatId}/reopen`, { token });
    for (let i = 0; i < 4; i++) {
      const session = await visit(at(a).api, site, { visitor: { name: 'Vera' } });
      const chatId = await say(at(i % 2 ? a : b).api, site, session, 'Anybody?');
      await at(i % 2 ? b : a).api(`POST /chats/${chatId}/close`, { token: owner.token });
      const [sentTo, ...answers] = await Promise.all([
        i < 2 ? chatId : say(at(b).api, site, session, 'Me too'),
        reopen(a, chatId, owner),
        reopen(b, chatId, ben),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(sentTo === chatId ? 1 : 0);
      const statusOf = async (node: TestServer | undefined) =>
        (await at(node).api(`GET /chats/${chatId}`, { token: owner.token })).body.data.chat.status;
      for (const node of [a, b])
        await until(async () => (await statusOf(node)) === (sentTo === chatId ? 'active' : 'closed'));
      // Each node appends to the chat that is open, whichever node opened it.
      for (const node of [a, b]) expect(await say(at(node).api, site, session, 'And now?')).toBe(sentTo);
    }
  });

  test('new chats of both nodes are assigned to an agent on either, and once', async () => {
    const [ben, shop] = [await signUp(at(a).api, 'Ben Okafor'), await createSite(at(a).api, owner.token, 'Assigned')];
    await join(shop, ben, 'agent');
    await at(b).api(`PATCH /sites/${shop._id}`, { token: owner.token, body: { settings: { autoAssign: true } } });
    const ear = await connectStaff(at(b).url, ben.token);
    for (const node of [a, b]) {
      const chatId = await say(at(node).api, shop, await visit(at(node).api, shop), 'Anybody?');
      await until(async () => ear.heard('chat_claimed').some((e) => e.chatId === chatId));
    }
    expect(ear.heard('chat_claimed')).toHaveLength(2);
  });

  test('members see on every node who else has a chat open', async () => {
    const { agent, chatId } = await meet();
    const ben = await signUp(at(a).api, 'Ben Okafor');
    await join(site, ben, 'agent');
    const other = await connectStaff(at(a).url, ben.token);
    await other.ask('open_chat', { chatId });
    const names = ({ users }: { users: { name: string }[] }) => users.map(({ name }) => name).sort();
    for (const ear of [agent, other])
      await until(async () => ear.heard('viewers').some((e) => names(e).join() === 'Ben Okafor,Olga Owner'));
    other.socket.disconnect();
    await until(async () => names(agent.heard('viewers').at(-1)).join() === 'Olga Owner');
  });

  test('a mention written on one node reaches the member on the other, and is read on both', async () => {
    const { agent, chatId } = await meet();
    const ben = await signUp(at(a).api, 'Ben Okafor');
    await join(site, ben, 'agent');
    const [here, there] = await Promise.all([a, b].map((node) => connectStaff(at(node).url, ben.token)));
    const body = { content: '@Ben Okafor?', mentions: [ben.user._id] };
    await at(a).api(`POST /chats/${chatId}/notes`, { token: owner.token, body });
    for (const ear of [here, there])
      expect((await heard(ear as Ear, 'mentioned'))[0].mention).toMatchObject({ chatId, preview: body.content });
    await at(b).api(`POST /chats/${chatId}/mentions/read`, { token: ben.token });
    for (const ear of [here, there]) await heard(ear as Ear, 'mentions_changed');
    expect(agent.heard('mentioned')).toEqual([]);
  });

  test('a removed member is told on every node, hears no more of the site, and goes on with other sites', async () => {
    const [ben, other] = [await signUp(at(b).api, 'Ben Okafor'), await createSite(at(a).api, owner.token, 'Other')];
    for (const each of [site, other]) await join(each, ben, 'agent');
    const { chatId, visitor } = await meet();
    const ears = [await connectStaff(at(a).url, ben.token), await connectStaff(at(b).url, ben.token)];
    for (const ear of ears) await ear.ask('open_chat', { chatId });
    const removed = await at(a).api(`DELETE /team/members/${ben.user._id}`, {
      token: owner.token,
      body: { siteId: site._id },
    });
    expect(removed.status).toBe(200);
    for (const ear of ears)
      await until(async () => ear.heard('team_updated').some(({ siteId }) => siteId === site._id));
    const told = await at(b).api('GET /sites', { token: ben.token });
    expect(told.body.data.sites.map(({ _id }: Site) => _id)).toEqual([other._id]);
    for (const ear of ears) expect((await ear.ask('open_chat', { chatId })).ok).toBe(false);

    await visitor.ask('send_message', { clientId: randomUUID(), content: 'A secret' });
    for (const node of [a, b]) await say(at(node).api, other, await visit(at(node).api, other), 'For everybody');
    const contents = (ear: Ear) => ear.heard('new_message').map(({ message }) => message.content);
    for (const ear of ears)
      await until(async () => contents(ear).filter((content) => content === 'For everybody').length === 2);
    for (const ear of ears) expect(contents(ear)).not.toContain('A secret');
  });

  test('a limit counts what is sent to all nodes together', async () => {
    const session = await visit(at(a).api, site, { visitor: { name: 'Vera' } });
    // At once: one after the other, on a busy machine they may take longer than the time that the limit is for.
    const sent = Array.from({ length: MESSAGES_MAX + 2 }, (_, i) =>
      at(i % 2 ? a : b).api(`POST /widget/${site.widgetCode}/messages`, {
        token: session.visitorToken,
        body: { clientId: randomUUID(), content: 'Quick' },
      }),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 429)).toHaveLength(MESSAGES_MAX);
  });

  test('signing out disconnects the sockets on every node', async () => {
    const ben = await signUp(at(a).api, 'Ben Okafor');
    const ears = [await connectStaff(at(a).url, ben.token), await connectStaff(at(b).url, ben.token)];
    await at(b).api('GET /sites', { token: ben.token });
    expect((await at(a).api('POST /auth/logout', { token: ben.token })).status).toBe(200);
    for (const ear of ears) {
      await until(async () => !ear.socket.connected);
      expect(ear.heard('session_ended')).toEqual([{ reason: 'signed_out' }]);
    }
    expect((await at(b).api('GET /sites', { token: ben.token })).status).toBe(401);
    expect((await at(b).api('POST /auth/login', { body: { email: ben.user.email, password: PASSWORD } })).status).toBe(
      200,
    );
  });

  test('a snoozed chat is woken once at its time, and by a node whose clock alone goes on', async () => {
    const { agent, chatId } = await meet();
    const onA = await connectStaff(at(a).url, owner.token);
    const snooze = (until: number) =>
      at(a).api(`PUT /chats/${chatId}/snooze`, { token: owner.token, body: { until: new Date(until).toISOString() } });
    // The clocks wake other tests' chats, too.
    const told = (ear: Ear, event: string) => ear.heard(event).filter(({ chat }) => chat._id === chatId);
    for (const [i, clocks] of [[a, b], [b], [a, b]].entries()) {
      expect((await snooze(Date.now() + i * (HOUR_MS + MINUTE_MS) + HOUR_MS)).status).toBe(200);
      await until(async () => told(agent, 'chat_updated').at(-1)?.chat.snoozedUntil);
      // More than the node with the lease is given before the others.
      for (const node of clocks) at(node).advance(HOUR_MS + MINUTE_MS);
      for (const ear of [agent, onA]) await until(async () => told(ear, 'chat_woken').length === i + 1);
    }
    const { body } = await at(a).api(`GET /chats/${chatId}`, { token: owner.token });
    expect([body.data.chat.snoozedUntil, body.data.chat.unread]).toEqual([undefined, 1]);
  });
});
