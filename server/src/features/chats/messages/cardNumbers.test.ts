import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import { uploadAsVisitor } from '#test/uploads';
import type { Message, Site } from '../../../../contract.ts';
import { VisitorModel } from '../../visitors/model.ts';
import { MessageModel } from '../messageModel.ts';
import { maskCardNumbers } from './cardNumbers.ts';

const CARD = '4111 1111 1111 1111';
const MASKED = '•••• •••• •••• 1111';
let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const asOwner = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const save = (settings: object) => asOwner(`PATCH /sites/${site._id}`, { settings });

test.each([
  [`My card: ${CARD}, 12/26, 123`, `My card: ${MASKED}, 12/26, 123`],
  ['4111111111111111', '••••••••••••1111'],
  ['no.5555-5555-5555-4444!', 'no.••••-••••-••••-4444!'],
  ['3782 822463 10005', '•••• •••••• •0005'],
  ['4222222222222', '•••••••••2222'],
  ['6304 0000 0000 0000 000', '•••• •••• •••• •••0 000'],
  [`${CARD} 5555 5555 5555 4444`, `${MASKED} •••• •••• •••• 4444`],
  [`${CARD} 12`, `${MASKED} 12`],
  ['4111\u00a01111\u00a01111\u00a01111', '••••\u00a0••••\u00a0••••\u00a01111'],
  ['4111  1111\t1111\n1111', '••••  ••••\t••••\n1111'],
  ['4111/1111/1111/1111', '••••/••••/••••/1111'],
  ['4111,1111, 1111_1111', '••••,••••, ••••_1111'],
  ['4111 - 1111 - 1111 - 1111', '•••• - •••• - •••• - 1111'],
  ['4111\u20111111\u20071111\u22121111', '••••\u2011••••\u2007••••\u22121111'],
  ['4111\u200b1111\u00ad1111\u20601111', '••••\u200b••••\u00ad••••\u20601111'],
  ['４１１１ １１１１ １１１１ １１１１', '•••• •••• •••• １１１１'],
  ['٤١١١ ١١١١ ١١١١ ١١١١', '•••• •••• •••• ١١١١'],
  ['𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏', '•••• •••• •••• 𝟏𝟏𝟏𝟏'],
  ['41 11 11 11 11 11 11 11', '•• •• •• •• •• •• 11 11'],
  ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', '• • • • • • • • • • • • 1 1 1 1'],
  ['pay://4111111111111111', 'pay://••••••••••••1111'],
  ['https://example.com/4111 1111 1111 1111', 'https://example.com/•••• •••• •••• 1111'],
  ['IMEI 356938035643809 or 35 693803 564380 9', 'IMEI 356938035643809 or 35 693803 564380 9'],
  ['2019, 2020, 2021, 2022, 2023', '2019, 2020, 2021, 2022, 2023'],
  ['2.50, 3.99, 12.00, 4.10, 45.00, 6.30', '2.50, 3.99, 12.00, 4.10, 45.00, 6.30'],
  ['4111 1111 1111 1112', '4111 1111 1111 1112'],
  ['+49 170 1234567, +49 171 7654321', '+49 170 1234567, +49 171 7654321'],
  ['DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00'],
  ['https://example.com/track/4111111111111111', 'https://example.com/track/4111111111111111'],
  ['41111111111111111111111', '41111111111111111111111'],
])('%j is stored as %j', async (sent, stored) => {
  const session = await visit(server.api, site);
  const ear = await connectVisitor(server.url, session.visitorToken);
  const { message } = await ear.ask('send_message', { clientId: randomUUID(), content: sent });
  expect(message).toMatchObject({ content: stored, text: stored });
});

test('masking again changes nothing, and a long text takes a time in proportion to its length', () => {
  const numbers = ['4111 1111 1111 1111 5555 5555 5555 4444 4111111111111111', `${CARD} ${CARD} ${CARD}`];
  for (const text of numbers) expect(maskCardNumbers(maskCardNumbers(text))).toBe(maskCardNumbers(text));
  // Were its time to grow with the square of the length, this would take hours.
  for (const piece of ['4', '4 ', '41 ', '4111 ', 'x://', '4\u200b', '٤ ']) {
    const text = piece.repeat(500_000 / piece.length);
    expect(maskCardNumbers(text), piece).toHaveLength(text.length);
  }
});

test('nobody gets the number: not the team, the list, the search, or a retry', async () => {
  const { token } = await signUp(server.api, 'Sam Seller');
  const shop = await createSite(server.api, token);
  const desk = await connectStaff(server.url, token);
  const session = await visit(server.api, shop);
  const send = () =>
    server.api(`POST /widget/${shop.widgetCode}/messages`, {
      token: session.visitorToken,
      body: { clientId, content: `Pay with ${CARD} please` },
    });
  const clientId = randomUUID();
  const first: Message = (await send()).body.data.message;
  expect(first.content).toBe(`Pay with ${MASKED} please`);
  expect((await send()).body.data.message).toEqual(first);
  const heard = await until(async () =>
    desk.heard('chat_updated').find(({ chat }) => chat.lastMessage === first.content),
  );
  expect(heard.chat._id).toBe(first.chatId);
  const found = async (search: string) =>
    (await server.api(`GET /chats?search=${search}`, { token })).body.data.chats.length;
  await until(async () => (await found('please')) > 0);
  expect(await found('4111')).toBe(0);
  const stored = await MessageModel.find({ site: shop._id }).lean();
  expect(stored.map(({ content }) => content)).toEqual([first.content]);
});

test('answers, corrections, notes, ratings, forms and notes on people are masked, too', async () => {
  await save({ preChatFields: [{ kind: 'text', label: 'Order', required: false }] });
  const chat = await newChat(server.api, site, owner.token);
  const answer = (await asOwner(`POST /chats/${chat._id}/messages`, { content: CARD })).body.data.message;
  expect(answer.content).toBe(MASKED);
  const edited = await asOwner(`PATCH /chats/${chat._id}/messages/${answer._id}`, { content: `It is ${CARD}` });
  expect(edited.body.data.message.content).toBe(`It is ${MASKED}`);
  expect((await asOwner(`POST /chats/${chat._id}/notes`, { content: CARD })).body.data.note.content).toBe(MASKED);
  const about = await asOwner(`PUT /visitors/${chat.visitorId}/note`, { content: CARD });
  expect(about.body.data.note.content).toBe(MASKED);

  const session = await visit(server.api, site, { visitor: { name: 'Vera', answers: { Order: CARD } } });
  expect((await VisitorModel.findById(session.visitor._id).lean())?.attributes).toMatchObject([{ value: MASKED }]);
  const ear = await connectVisitor(server.url, session.visitorToken);
  const { message } = await ear.ask('send_message', { clientId: randomUUID(), content: 'Hello' });
  await ear.ask('rate', { chatId: message.chatId, score: 5, comment: CARD });
  expect((await asOwner(`GET /chats/${message.chatId}`)).body.data.chat.rating).toEqual({ score: 5, comment: MASKED });
});

test('names, attributes, pages and the names of files are masked, too', async () => {
  const body = {
    visitor: { name: `Vera ${CARD}` },
    attributes: { paid: CARD, 'order 4111111111111111': 5 },
    page: { url: 'https://shop.example.com/4111111111111111?card=4111111111111111', title: `Thanks for ${CARD}` },
  };
  const session = await visit(server.api, site, body);
  const kept = await VisitorModel.findById(session.visitor._id).lean();
  expect(kept).toMatchObject({ name: `Vera ${MASKED}`, page: { title: `Thanks for ${MASKED}` } });
  expect(kept?.page?.url).toBe('https://shop.example.com/4111111111111111?card=••••••••••••1111');
  expect(kept?.pages?.[0]?.title).toBe(`Thanks for ${MASKED}`);
  expect(kept?.attributes).toContainEqual({ name: 'paid', value: MASKED });
  const sent = await uploadAsVisitor(server, site, session, 'text', { name: `${CARD}.txt` });
  expect(sent.body.data.message.file.name).toBe(`${MASKED}.txt`);
});

test('a site can switch it off, and a retry from before finds its message', async () => {
  const session = await visit(server.api, site);
  const ear = await connectVisitor(server.url, session.visitorToken);
  const before = { clientId: randomUUID(), content: CARD };
  const { message } = await ear.ask('send_message', before);
  expect((await save({ maskCards: false })).body.data.site.settings.maskCards).toBe(false);
  expect((await ear.ask('send_message', before)).message).toEqual(message);
  expect((await ear.ask('send_message', { ...before, clientId: randomUUID() })).message.content).toBe(CARD);
  expect((await save({ maskCards: 'yes' })).status).toBe(422);
});
