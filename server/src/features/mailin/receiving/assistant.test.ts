import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AssistedSite, assistedSite } from '#test/assistedSite';
import { until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, startMailbox } from '#test/mailbox';
import { answeringInto, handOverMail, mailed } from '#test/mailIn';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';

let standIn: ModelStandIn;
let box: Mailbox;
let server: TestServer;
let shop: AssistedSite;

beforeAll(async () => {
  [standIn, box] = await Promise.all([startStandIn(), startMailbox()]);
  server = await startServer({ ...answeringInto(box), model: modelOf(standIn) });
  shop = await assistedSite(server.api);
  await shop.as(`PATCH /sites/${shop.site._id}/assistant`, { step: 'answer', rev: 0 });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([standIn.stop(), box.stop()]);
});

const from = 'vera@example.com';

test('the assistant leaves a chat to people as soon as its visitor answers by mail, and begins no new one', async () => {
  const session = await shop.visit();
  const chat = await shop.ask(session);
  await shop.said(chat, 2);
  const { replyTo } = await mailed({ chat, site: shop.site._id, visitor: session.visitor._id, to: from });
  const asked = standIn.requests.length;
  await handOverMail(server.url, { from, to: replyTo, text: 'How do I pay?' });
  await until(async () => (await shop.chat(chat)).assistant?.reason === 'mail');
  expect((await shop.said(chat, 4)).slice(2)).toMatchObject([{ event: 'handed_over' }, { content: 'How do I pay?' }]);
  await shop.as(`POST /chats/${chat}/close`);
  await handOverMail(server.url, { from, to: replyTo, text: 'And how do I return it?' });
  const { body } = await shop.as(`GET /visitors/${session.visitor._id}/chats`);
  expect(body.data.chats).toHaveLength(2);
  const next = await until(async () => {
    const found = await shop.chat(body.data.chats[0]._id);
    return found.lastSeq === 1 && found;
  });
  expect(next).toMatchObject({ status: 'waiting' });
  expect(next.assistant?.active ?? false).toBe(false);
  expect(standIn.requests).toHaveLength(asked);
});
