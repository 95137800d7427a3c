import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Site } from '#contract';
import { type Account, createSite, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';

let server: TestServer;
let owner: Account;
let site: Site;
beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token, 'Corner Shop');
});
afterAll(() => server.stop());

const configure = (body: object, { _id } = site) =>
  server.api(`PATCH /sites/${_id}/help-center`, { token: owner.token, body });
const read = async () =>
  (await server.api(`GET /sites/${site._id}/help-center`, { token: owner.token })).body.data.helpCenter;

test('a site has no help centre until somebody sets it up', async () => {
  expect(await read()).toEqual({
    enabled: false,
    handle: '',
    host: null,
    language: 'en',
    languages: [],
    links: [],
    agentsEdit: false,
    widget: 'off',
    categories: [],
    rev: 0,
    url: null,
  });
});

test('switched on without a name, it gets one from the name of the site', async () => {
  const name = `Löwe & Söhne ${site._id}`;
  const sites = [await createSite(server.api, owner.token, name), await createSite(server.api, owner.token, name)];
  const handles: string[] = [];
  for (const one of sites) handles.push((await configure({ enabled: true, rev: 0 }, one)).body.data.helpCenter.handle);
  const base = `l-we-s-hne-${site._id}`.slice(0, 36);
  expect(handles).toEqual([base, `${base}-2`]);
});

test('of two who change it, the second one gets a conflict', async () => {
  const answers = await Promise.all([configure({ widget: 'first', rev: 0 }), configure({ agentsEdit: true, rev: 0 })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('SETTINGS_CHANGED');
  expect((await read()).rev).toBe(1);
});

test('an address and a host belong to one site, and can be given back', async () => {
  const other = await createSite(server.api, owner.token);
  const [handle, host] = [`h-${site._id}`, `${site._id}.example.com`];
  expect((await configure({ handle, host: host.toUpperCase(), rev: 0 })).body.data.helpCenter).toMatchObject({
    handle,
    host,
  });
  expect((await configure({ handle, rev: 0 }, other)).body.code).toBe('HELP_HANDLE_TAKEN');
  expect((await configure({ host, rev: 0 }, other)).body.code).toBe('HELP_HOST_TAKEN');
  expect((await configure({ handle: '', host: null, rev: 1 })).body.data.helpCenter).toMatchObject({
    handle: '',
    host: null,
  });
  expect((await configure({ handle, host, enabled: true, rev: 0 }, other)).body.data.helpCenter.url).toBe(
    `https://${host}`,
  );
});

test('the main language is none of the others', async () => {
  const languages = async (body: object) => {
    const { language, languages } = (await configure({ ...body, rev: (await read()).rev })).body.data.helpCenter;
    return [language, ...languages];
  };
  expect(await languages({ languages: ['de', 'en', 'fr', 'de'] })).toEqual(['en', 'de', 'fr']);
  expect(await languages({ language: 'de' })).toEqual(['de', 'fr', 'en']);
  expect(await languages({ language: 'ar', languages: [] })).toEqual(['ar']);
  expect(await languages({ widget: 'only' })).toEqual(['ar']);
});

test.each([
  { handle: 'no spaces' },
  { handle: '-a' },
  { handle: 'a'.repeat(41) },
  { host: 'https://help.example.com' },
  { host: 'help.example.com/path' },
  { host: 'help.example.com:8080' },
  { host: '192.0.2.1' },
  { host: 'localhost' },
  { host: '[::1]' },
  { language: 'xx' },
  { languages: ['xx'] },
  { languages: 'de' },
  { links: [{ label: 'Imprint', url: 'http://example.com' }] },
  { links: [{ label: 'Imprint', url: 'javascript:alert(1)' }] },
  { links: [{ label: '', url: 'https://example.com' }] },
  { links: Array.from({ length: 7 }, () => ({ label: 'x', url: 'https://example.com' })) },
  { widget: 'sometimes' },
  { rev: undefined },
])('%j is refused', async (body) => {
  expect((await configure({ rev: 0, ...body })).body.code).toBe('VALIDATION_FAILED');
});
