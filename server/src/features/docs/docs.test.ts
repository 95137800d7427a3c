import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSite, newChat, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { API_KEY_SCOPES } from '../apikeys/contract.ts';
import { embedCode } from '../sites/contract.ts';
import { WEBHOOK_EVENTS, WEBHOOK_KINDS } from '../webhooks/contract.ts';
import {
  DOC_ORIGIN,
  DOC_PARTS,
  DOC_WIDGET_CODE,
  type DocApi,
  type DocExamples,
  type DocPage,
  type DocSection,
} from './contract.ts';

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.stop());

/** An async function of what a reader would paste into a module. */
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

describe('the documentation', () => {
  test.each(['', ...DOC_PARTS.map((part) => `/${part}`)])('/docs%s is public', async (part) => {
    const { status, body } = await server.api(`GET /docs${part}`);
    expect(status).toBe(200);
    expect(body.data.title).toBeTruthy();
    expect(body.data.description).toBeTruthy();
    const ids = (body.data.sections as DocSection[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('scopes of API keys, events and services of webhooks, and the script tag are all there', async () => {
    const { body: keys } = await server.api('GET /docs/api-keys');
    const { body: webhooks } = await server.api('GET /docs/webhooks');
    const { body: embed } = await server.api('GET /docs/embed-code');
    const rows = (page: DocPage, id: string) => page.sections.find((section) => section.id === id)?.table?.rows ?? [];
    const first = (page: DocPage, id: string) => rows(page, id).map(([cell]) => cell);
    expect(first(keys.data, 'scopes')).toEqual(API_KEY_SCOPES.map((scope) => `\`${scope}\``));
    expect(first(webhooks.data, 'events').toSorted()).toEqual(
      [...WEBHOOK_EVENTS, 'rule.applied'].map((event) => `\`${event}\``).toSorted(),
    );
    expect(rows(webhooks.data, 'ready-made')).toHaveLength(WEBHOOK_KINDS.length - 1);
    expect(JSON.stringify([keys, webhooks, embed])).not.toMatch(/\{\{|undefined/);
    expect((embed.data as DocPage).sections[0]?.code?.[0]?.code).toBe(embedCode(DOC_ORIGIN, DOC_WIDGET_CODE));
  });

  test('an unknown part is a 404', async () => {
    expect((await server.api('GET /docs/nothing')).status).toBe(404);
  });

  test('the overview has the running version', async () => {
    const { body } = await server.api('GET /docs');
    const { body: openApi } = await server.api('GET /openapi.json');
    expect(body.data.version).toBe(openApi.info.version);
  });
});

describe('the API reference', () => {
  test('has every call of the OpenAPI document, each with its own summary', async () => {
    const { body: openApi } = await server.api('GET /openapi.json');
    const paths = Object.entries<object>(openApi.paths);
    const wired = paths.flatMap(([path, verbs]) => Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`));
    const { body } = await server.api('GET /docs/api-endpoints');
    const endpoints = (body.data as DocApi).endpoints.flatMap((group) => group.endpoints);
    expect(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(wired.toSorted());
    expect(endpoints.filter(({ description }) => description === '')).toEqual([]);
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length);
  });

  test('shows the parameters of a call and their limits', async () => {
    const { body } = await server.api('GET /docs/api-endpoints');
    const chats = (body.data as DocApi).endpoints.find(({ title }) => title === 'Chats');
    const send = chats?.endpoints.find(({ id }) => id === 'post-chats-id-messages');
    expect(send?.audience).toBe('staff');
    expect(send?.parameters).toContainEqual({
      name: 'content',
      type: 'string',
      required: true,
      in: 'body',
      description: 'at most 5000 characters',
    });
  });
});

describe('the examples', () => {
  /** The steps of a tutorial in JavaScript as one script, with the reader's own values. */
  async function scriptOf(id: string, values: Record<string, string>): Promise<string> {
    const { body } = await server.api('GET /docs/examples');
    const tutorial = (body.data as DocExamples).tutorials.find((each) => each.id === id);
    const script = tutorial?.steps.map(({ code }) => (code?.language === 'js' ? code.code : '')).join('\n') ?? '';
    return Object.entries({ [DOC_ORIGIN]: server.url, ...values }).reduce(
      (text, [word, value]) => text.replaceAll(word, () => value),
      script,
    );
  }

  test('answer a chat from a script', async () => {
    const ana = await signUp(server.api);
    const site = await createSite(server.api, ana.token);
    const chat = await newChat(server.api, site, ana.token);
    const form = { name: 'Script', scope: 'reply', currentPassword: ana.password };
    const { key } = (await server.api('POST /api-keys', { token: ana.token, body: form })).body.data;
    const script = await scriptOf('answer-from-a-script', { YOUR_API_KEY: key });
    const { message } = await new AsyncFunction(`${script}\nreturn { message };`)();
    expect(message).toMatchObject({ chatId: chat._id, sender: 'agent', text: 'Hello, how can I help you?' });
    const { body } = await server.api(`GET /chats/${chat._id}`, { token: ana.token });
    expect(body.data.chat).toMatchObject({ status: 'closed', claimedBy: { name: ana.user.name } });
  });

  test('write as a visitor without the widget', async () => {
    const ana = await signUp(server.api);
    const site = await createSite(server.api, ana.token);
    const script = await scriptOf('write-as-a-visitor', { [DOC_WIDGET_CODE]: site.widgetCode });
    const { sent } = await new AsyncFunction(`${script}\nreturn { sent };`)();
    expect(sent.success).toBe(true);
    const chat = await until(async () => {
      const { body } = await server.api('GET /chats', { token: ana.token });
      return body.data.chats[0];
    });
    expect(chat).toMatchObject({ lastMessage: 'Do you ship to Spain?', visitorInfo: { name: 'Mina Park' } });
  });

  test('verify the identity of a visitor', async () => {
    const ana = await signUp(server.api);
    const site = await createSite(server.api, ana.token);
    const { body } = await server.api(`GET /sites/${site._id}/identity-secret`, { token: ana.token });
    const script = await scriptOf('prove-who-visitors-are', { YOUR_IDENTITY_SECRET: body.data.secret });
    const module = `data:text/javascript,${encodeURIComponent(`${script}\nexport { token };`)}`;
    const { token } = await import(module);
    const { visitor } = await visit(server.api, site, { identity: { token } });
    expect(visitor).toMatchObject({ name: 'Mina Park', email: 'mina@example.com' });
  });
});
