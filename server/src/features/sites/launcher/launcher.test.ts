import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectVisitor, hangUp } from '#test/sockets';
import type { Site, WidgetConfig } from '../../../../contract.ts';
import { SiteModel } from '../model.ts';
import { LAUNCHER_DEFAULTS, LAUNCHER_ICONS, launcherColors, launcherLook } from './contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const save = async (launcher: object) =>
  (await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings: { launcher } } })).body.data
    .site as Site;
const config = async (): Promise<WidgetConfig> => (await server.api(`GET /widget/${site.widgetCode}`)).body.data;

test('sites with the usual launcher have nothing of it in their config', async () => {
  expect(site.settings.launcher).toEqual(LAUNCHER_DEFAULTS);
  expect(Object.keys(await config())).not.toContain('launcher');
  // As stored by an earlier version.
  await SiteModel.collection.updateOne({ widgetCode: site.widgetCode }, { $unset: { 'settings.launcher': 1 } });
  expect(Object.keys(await config())).not.toContain('launcher');
});

test('changes are merged, and reach open pages with the text and the style sheet', async () => {
  const page = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  await save({ text: ' Ask us ', hideOn: [' /checkout '] });
  const saved = await save({ shape: 'round', side: 40 });
  expect(saved.settings.launcher).toEqual({
    ...LAUNCHER_DEFAULTS,
    text: 'Ask us',
    hideOn: ['/checkout'],
    shape: 'round',
    side: 40,
  });
  await until(async () => page.heard('config_changed').length === 2);
  const { config: live } = page.heard('config_changed')[1];
  expect(live).toEqual(await config());
  expect(live).toMatchObject({ buttonText: 'Ask us', launcher: { hideOn: ['/checkout'] } });
  expect(live.launcher.css).toContain('.stage{padding:20px 40px max(20px,env(safe-area-inset-bottom))}');
});

test('no text that somebody typed gets into the style sheet', () => {
  for (const icon of LAUNCHER_ICONS) {
    const typed = { text: '}evil{', hideOn: ['}evil{'] };
    const { launcher } = launcherLook({ ...LAUNCHER_DEFAULTS, ...typed, icon, shape: 'round' });
    expect(launcher?.css).not.toContain('evil');
    expect(launcher?.css.split('{')).toHaveLength(launcher?.css.split('}').length ?? 0);
  }
});

test.each([
  ['#0b3d2e', '#fff'],
  ['#ffe94d', '#1d1b18'],
  ['#0088ff', '#fff'],
])('the text on %s is readable', (color, ink) => {
  const [, fill = '', text] = launcherColors(color).match(/^--fill:(.+);--ink:(.+)$/) ?? [];
  expect(text).toBe(ink);
  expect(contrast(fill, ink)).toBeGreaterThanOrEqual(4.5);
});

test('a page gets its own colour, and the sentences of failures in its language', async () => {
  const ask = async (query: string) => (await server.api(`GET /widget/${site.widgetCode}?${query}`)).body.data;
  expect((await ask('c=%23ffe94d')).colors).toBe(launcherColors('#ffe94d'));
  const usual = (await ask('v=1')).colors;
  for (const wrong of ['red', '', '%23ffe94d;background:url(x)']) expect((await ask(`c=${wrong}`)).colors).toBe(usual);
  expect((await ask('v=1')).failure).toBeUndefined();
  for (const [l, chat] of [
    ['pt-BR', /^Não/],
    ['DE', /^Der/],
    ['tlh', /^Chat/],
    ['', /^Chat/],
  ] as const)
    expect((await ask(`l=${l}`)).failure.chat).toMatch(chat);
});

/** WCAG's contrast ratio of two colours, `#rgb`, `#rrggbb` or `rgb(r,g,b)`. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const long = color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color;
  const channels = long.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16))
    : (color.match(/\d+/g) ?? []).map(Number);
  const [r = 0, g = 0, b = 0] = channels.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
