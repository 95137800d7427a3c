import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { PUBLIC_URL } from '#test/mailbox';
import { type Receiver, type Request, startReceiver } from '#test/receivers';
import {
  type Delivery,
  WEBHOOK_EVENTS,
  WEBHOOK_EXCERPT_MAX_LENGTH,
  type Webhook,
  type WebhookBody,
} from '../../../contract.ts';
import { SECOND_MS } from '../../platform/time/time.ts';

const TOKEN = `123456789:${'A'.repeat(35)}`;

let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ publicUrl: PUBLIC_URL }, { webhookAgent: receiver.agent });
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

let count = 0;

/** Where each kind is told something. */
const TARGETS = {
  slack: (n: number) => ({ path: `/services/T0/B0/${n}`, host: 'hooks.slack.com' }),
  discord: (n: number) => ({ path: `/api/webhooks/${n}/token`, host: 'discord.com' }),
  teams: (n: number) => ({
    path: `/workflows/${n}/triggers/manual/paths/invoke?api-version=2016-06-01&sig=s`,
    host: 'prod-01.westeurope.logic.azure.com',
  }),
  mattermost: (n: number) => ({ path: `/hooks/${n}`, host: 'hooks.example.com' }),
};

type ReadyMade = keyof typeof TARGETS | 'telegram';

/** A site of a new owner with a ready-made target. */
async function hooked(kind: ReadyMade, more: Partial<WebhookBody> = {}) {
  const owner = await signUp(server.api, 'Olga');
  const { token } = owner;
  const site = await createSite(server.api, token, 'Tea & <Co>');
  const bot = `${++count}00:${'A'.repeat(35)}`;
  const target =
    kind === 'telegram' ? { path: `/bot${bot}/sendMessage`, host: 'api.telegram.org' } : TARGETS[kind](count);
  const url = receiver.url(kind === 'telegram' ? '/' : target.path, target.host);
  const given = {
    kind,
    url,
    events: ['chat.opened', 'message.created'],
    ...(kind === 'telegram' && { botToken: bot }),
  };
  const added = await server.api(`POST /sites/${site._id}/webhooks`, { token, body: { ...given, ...more } });
  expect(added.status).toBe(201);
  const webhook: Webhook = added.body.data.webhook;
  const calls = `/sites/${site._id}/webhooks/${webhook._id}`;
  return {
    owner,
    site,
    webhook,
    secret: added.body.data.secret,
    path: target.path,
    call: (what: string, body?: object) => {
      const [method, rest = ''] = what.split(' ');
      return server.api(`${method} ${calls}${rest}`, { token, body });
    },
    received: () => receiver.received(target.path),
    now: async (): Promise<Webhook> =>
      (await server.api(`GET /sites/${site._id}/webhooks`, { token })).body.data.webhooks[0],
    log: async (): Promise<Delivery[]> => (await server.api(`GET ${calls}/deliveries`, { token })).body.data.deliveries,
  };
}

const NASTY =
  '<!channel> *stars* [safe](https://evil.example) @everyone <b>&amp;\nhttps://shop.example/a_b_c mina@example.com';

/** What arrives of a visitor's message. */
async function told(kind: ReadyMade, more: Partial<WebhookBody> = {}, content = NASTY) {
  const hook = await hooked(kind, more);
  const session = await visit(server.api, hook.site, { visitor: { name: '@Vera' } });
  const chat = await say(server.api, hook.site, session, content);
  const [first] = await until(async () => hook.received().length > 0 && hook.received());
  return { ...hook, session, chat, url: `${PUBLIC_URL}/dashboard/inbox?chat=${chat}`, request: first as Request };
}

test('Slack gets blocks in which nothing of strangers is markup, without a signature', async () => {
  const { request, url, secret, call } = await told('slack');
  const { blocks, ...rest } = request.payload;
  const [title, excerpt, place] = blocks;
  expect(title.text).toEqual({ type: 'mrkdwn', verbatim: true, text: '*@Vera has opened a chat*' });
  expect(excerpt.text).toEqual({ type: 'plain_text', emoji: false, text: NASTY });
  expect(place.elements).toMatchObject([{ type: 'mrkdwn', text: `Tea &amp; &lt;Co&gt; · <${url}|Open the chat>` }]);
  expect(rest).toMatchObject({ unfurl_links: false, unfurl_media: false });
  expect(rest.text).toContain('&lt;!channel&gt;');
  expect(Object.keys(request.headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  expect(secret).toBeNull();
  for (const what of ['GET /secret', 'POST /secret'])
    expect((await call(what)).body.code).toBe('WEBHOOK_HAS_NO_SECRET');
});

test('Discord gets text with its markup escaped, which mentions nobody and previews nothing', async () => {
  const { request, url } = await told('discord');
  expect(request.payload).toEqual({
    content: [
      '**@Vera has opened a chat** · Tea & \\<Co\\>',
      '> \\<!channel\\> \\*stars\\* \\[safe\\]\\(https://evil.example\\) @everyone \\<b\\>&amp;',
      '> https://shop.example/a_b_c mina@example.com',
      `[Open the chat](${url})`,
    ].join('\n'),
    flags: 4,
    allowed_mentions: { parse: [] },
  });
});

test('Mattermost gets text in which nobody is mentioned', async () => {
  const { request, url } = await told('mattermost');
  const [title, excerpt, link] = request.payload.text.split('\n\n');
  expect(title).toBe('**@\u200bVera has opened a chat** · Tea & <Co\\>');
  expect(excerpt).toContain('\\*stars\\* \\[safe\\]\\(https://evil.example\\) @\u200beveryone');
  expect(excerpt).toContain('https://shop.example/a_b_c mina@example.com');
  expect(link).toBe(`[Open the chat](${url})`);
});

test('Teams gets an Adaptive Card whose texts have no markup, and a button', async () => {
  const { request, url } = await told('teams');
  const [{ contentType, content }] = request.payload.attachments;
  expect([request.payload.type, contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
  const blocks: { type: string; inlines: { type: string; text: string }[] }[] = content.body;
  expect(blocks.every(({ type, inlines }) => type === 'RichTextBlock' && inlines[0]?.type === 'TextRun')).toBe(true);
  expect(blocks.map(({ inlines }) => inlines[0]?.text)).toEqual(['@Vera has opened a chat', NASTY, 'Tea & <Co>']);
  expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open the chat', url }]);
});

test('Telegram gets plain text through the bot, whose token is never shown', async () => {
  const { request, url, webhook, now, call, received } = await told('telegram', { telegramChat: '-1001234567890' });
  const { text, entities, ...rest } = request.payload;
  expect(rest).toEqual({ chat_id: '-1001234567890', link_preview_options: { is_disabled: true } });
  expect(text).toContain('@\u200beveryone');
  const marked = entities.map(
    ({ type, offset, length, url }: { type: string; offset: number; length: number; url?: string }) => [
      type,
      text.slice(offset, offset + length),
      url,
    ],
  );
  expect(marked).toEqual([
    ['bold', '@\u200bVera has opened a chat', undefined],
    ['text_link', 'Open the chat', url],
  ]);
  expect(webhook).toMatchObject({ kind: 'telegram', telegramChat: '-1001234567890' });
  expect(JSON.stringify([webhook, await now()])).not.toContain('AAAA');

  // The token stays when the chat changes.
  await call('PATCH ', { telegramChat: '@corner_shop' });
  await call('POST /test');
  expect(received().at(-1)?.payload).toMatchObject({ chat_id: '@corner_shop' });
  expect(received().at(-1)?.payload.text).toMatch(/^Parley is connected\nThis is a test\..*\nTea & <Co>$/);
  await call('PATCH ', { botToken: TOKEN });
  const { delivery } = (await call('POST /test')).body.data;
  expect(delivery.status).toBe('sent');
  expect(receiver.received(`/bot${TOKEN}/sendMessage`)).toHaveLength(1);
});

test('every event is told in words, a first message once, and long texts are cut', async () => {
  const events = [...WEBHOOK_EVENTS];
  const { owner, site, session, chat, received } = await told('discord', { events }, 'word '.repeat(900));
  const { token } = owner;
  await server.api(`POST /chats/${chat}/claim`, { token });
  await server.api(`POST /chats/${chat}/messages`, { token, body: { content: 'line\n'.repeat(30) } });
  await say(server.api, site, session, 'Thanks');
  await server.api(`POST /chats/${chat}/close`, { token });
  const rating = { chatId: chat, score: 5, comment: 'Quick!' };
  await server.api(`POST /widget/${site.widgetCode}/rating`, { token: session.visitorToken, body: rating });
  const contents = await until(async () => {
    const all = received().map(({ payload }) => payload.content as string);
    return all.length >= 7 && all;
  });
  const ofChat = contents.filter((content) => !content.includes('is known now'));
  expect(ofChat.map((content) => content.slice(2, content.indexOf('** ·')))).toEqual([
    '@Vera has opened a chat',
    'Olga has the chat with @Vera now',
    'Olga wrote to @Vera',
    '@Vera wrote',
    'Olga has closed the chat with @Vera',
    '@Vera has rated the chat: 5 of 5',
  ]);
  const [opened = '', , answered = ''] = ofChat;
  expect(opened.split('\n')[1]).toHaveLength('> '.length + WEBHOOK_EXCERPT_MAX_LENGTH);
  expect(answered.split('\n').filter((line) => line === '> line' || line === '> line…')).toHaveLength(10);
  expect(ofChat.at(-1)).toContain('> Quick!');
});

test('a formatted answer reaches a chat service without its formatting, and a program as typed', async () => {
  const { owner, site, chat, received } = await told('teams');
  const jsonHook = receiver.url('/formatted');
  const { token } = owner;
  await server.api(`POST /sites/${site._id}/webhooks`, { token, body: { url: jsonHook, events: ['message.created'] } });
  const content = '**Ready** [here](https://shop.example/1)';
  await server.api(`POST /chats/${chat}/messages`, { token, body: { content, formatted: true } });
  const last = () => JSON.stringify(received().at(-1)?.payload);
  await until(async () => last().includes('Ready here (https://shop.example/1)'));
  await until(async () => receiver.received('/formatted').length > 0);
  expect(receiver.received('/formatted')[0]?.payload.data.message).toMatchObject({ content, formatted: true });
});

test('an address that is not of its kind is refused with a sentence that shows a right one', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const add = (body: object) =>
    server.api(`POST /sites/${site._id}/webhooks`, { token, body: { events: ['chat.opened'], ...body } });
  const bot = { botToken: TOKEN, telegramChat: '42' };
  for (const [kind, url, more] of [
    ['slack', 'https://hooks.slack.com/workflows/T0/A0/1/2'],
    ['slack', 'https://example.com/services/T0/B0/x'],
    ['discord', 'https://discord.com/channels/1/2'],
    ['discord', 'https://discord.com.example.com/api/webhooks/1/x'],
    ['teams', 'https://teams.microsoft.com/l/channel/1'],
    ['mattermost', 'https://mattermost.example.com/'],
    ['telegram', `https://api.telegram.org/bot${TOKEN}/sendMessage`, bot],
    ['telegram', 'https://api.telegram.org', { ...bot, botToken: 'mybot' }, 'botToken'],
    ['telegram', 'https://api.telegram.org', { ...bot, telegramChat: 'my friends' }, 'telegramChat'],
    ['telegram', 'https://api.telegram.org', { botToken: TOKEN }, 'telegramChat'],
    ['irc', 'https://example.com/'],
  ] as const) {
    const { status, body } = await add({ kind, url, ...more });
    const path = kind === 'irc' ? 'kind' : (body.errors?.[0]?.path ?? '');
    expect([url, status, body.errors?.map((error: { path: string }) => error.path)]).toEqual([url, 422, [path]]);
  }
  expect((await add({ kind: 'slack', url: 'https://example.com/' })).body.message).toContain(
    'hooks.slack.com/services/',
  );
  for (const [kind, url] of [
    ['slack', 'https://hooks.slack-gov.com/services/T0/B0/x'],
    ['discord', 'https://ptb.discord.com/api/webhooks/1/x-_y?thread_id=2'],
    ['discord', 'https://discordapp.com/api/v10/webhooks/1/x'],
    [
      'teams',
      'https://default0.1.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/1/triggers',
    ],
    ['mattermost', 'https://example.com/chat/hooks/abc'],
  ] as const)
    expect([url, (await add({ kind, url })).status]).toEqual([url, 201]);
});

test('who is asked for patience waits as long as the target says, and loses nothing', async () => {
  const { path, site, call, received, log } = await hooked('telegram', {
    telegramChat: '42',
    events: ['message.created'],
  });
  let isBusy = true;
  const busy = JSON.stringify({ ok: false, error_code: 429, parameters: { retry_after: 90 } });
  receiver.answer(path, () => (isBusy ? { status: 429, body: busy } : 200));
  const [vera, mina] = [await visit(server.api, site), await visit(server.api, site)];
  await say(server.api, site, vera, 'One');
  const delivery = await until(async () => {
    const [last] = await log();
    return last?.triedAt ? last : null;
  });
  const waitS = (Date.parse(delivery.nextAt ?? '') - Date.parse(delivery.triedAt ?? '')) / SECOND_MS;
  expect([delivery.answerStatus, waitS]).toEqual([429, 90]);
  // Other chats wait, too.
  await say(server.api, site, mina, 'Two');
  await until(async () => (await log()).length === 2);
  isBusy = false;
  expect((await log()).map(({ attempts }) => attempts)).toEqual([0, 1]);
  server.advance(91 * SECOND_MS);
  await until(async () => (await log()).every(({ status }) => status === 'sent'));
  expect(received()).toHaveLength(3);
  receiver.answer(path, () => ({ status: 429, headers: { 'Retry-After': '7' } }));
  expect((await call('POST /test')).body.data.delivery).toMatchObject({ status: 'failed', answerStatus: 429 });
});
