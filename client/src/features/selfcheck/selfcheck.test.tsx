import { screen, within } from '@testing-library/react';
import type { SelfCheck } from 'server/contract';
import { expect, it, vi } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeSettings, makeUser } from '../../../test/make.ts';
import { fakeSpeaker } from '../../../test/speaker.ts';
import SelfCheckPage from './SelfCheckPage.tsx';

const ALL_ON = { emailNotifications: true, browserNotifications: true, soundEnabled: true, answerByMail: false };
const SHOP_ID = id();
const SEEN = { seenAt: new Date().toISOString(), origin: 'https://oak.example', page: null, version: '0.1.0' };
const WELL: SelfCheck = {
  connection: { ip: '203.0.113.7', https: true, host: 'chat.example.com', isPublicUrl: true, proxy: 'trusted' },
  mail: { configured: true },
  push: { devices: 1 },
  storage: { writable: true, percentFull: 41 },
  nodes: [],
  sites: [{ _id: SHOP_ID, name: 'Oak', domain: 'oak.example', widgetEnabled: true, installation: SEEN }],
};

/** What the browser lets the page do. */
function fakeBrowser(permission: NotificationPermission) {
  const shown: string[] = [];
  class FakeNotification {
    static permission = permission;
    static requestPermission = async () => permission;
    constructor(title: string) {
      shown.push(title);
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
  fakeSpeaker();
  return shown;
}

async function start(check: SelfCheck = WELL, notifications = ALL_ON) {
  const api = fakeApi();
  api.on('GET /settings', { settings: makeSettings({ notifications }) });
  api.on('GET /self-check', check);
  api.on('POST /self-check/push', { sent: 1, gone: 0, failed: 0 });
  api.on('POST /self-check/mail', { to: 'ana@example.com' });
  const started = startApp([{ path: '/', Component: SelfCheckPage }], '/', { api, signedInAs: makeUser() });
  await screen.findByRole('list', { name: 'Checks' });
  const run = async () => {
    await started.user.click(screen.getByRole('button', { name: 'Run the self-check' }));
    await screen.findByRole('button', { name: 'Run it again' });
  };
  return { ...started, run };
}

/** A line of the screen: its state and its sentence. */
function line(name: string): string {
  const row = within(screen.getByRole('list', { name: 'Checks' }))
    .getByText(name)
    .closest('li');
  return row?.textContent ?? '';
}

it('runs every check with one click, and says that all is well', async () => {
  const shown = fakeBrowser('granted');
  const { socket, run } = await start();
  socket.connect();
  await run();
  expect(screen.getByRole('status').textContent).toBe('All is well.');
  expect(shown).toEqual(['Parley']);
  expect(line('Mail')).toContain('accepted a mail to ana@example.com');
  expect(line('Push messages')).toContain('was sent to 1 device of yours');
  expect(line('Live connection')).toContain('over a WebSocket');
  expect(line('Proxy')).toContain('203.0.113.7');
  expect(line('Widget of Oak, oak.example')).toContain('was seen on https://oak.example');
  // Not for everybody, and never without an outcome.
  expect(screen.queryByText('Nodes')).toBeNull();
});

it('says which of several nodes has a problem, and what to do', async () => {
  fakeBrowser('granted');
  const node = {
    address: 'one:3000',
    version: '0.1.0',
    startedAt: SEEN.seenAt,
    sockets: { dashboards: 1, widgets: 2 },
    problems: [],
  };
  const nodes = [node, { ...node, address: 'two:3000', problems: ['clock' as const] }];
  const { socket, run } = await start({ ...WELL, nodes });
  socket.connect();
  await run();
  expect(line('Nodes')).toContain('two:3000 has a clock that differs');
});

it('shows for each failed check what to do', async () => {
  fakeBrowser('denied');
  const { api, run } = await start({
    ...WELL,
    connection: { ip: '10.0.0.1', https: false, host: 'box', isPublicUrl: false, proxy: 'ignored' },
    storage: { writable: false, percentFull: null },
    sites: WELL.sites.map((site) => ({ ...site, installation: { ...SEEN, seenAt: null } })),
  });
  api.on('POST /self-check/push', { sent: 0, gone: 0, failed: 2 });
  api.on(
    'POST /self-check/mail',
    new Refusal(409, { code: 'MAIL_OFF', message: 'This server cannot send mail: SMTP_URL is not set.' }),
  );
  await run();
  expect(line('Desktop notifications')).toContain('FailedNotifications are blocked');
  expect(line('Push messages')).toContain('FailedThe browser’s push service');
  expect(line('Mail')).toContain('AttentionThis server cannot send mail: SMTP_URL is not set.');
  expect(line('Live connection')).toContain('FailedThere is no live connection');
  expect(line('Proxy')).toContain('TRUST_PROXY does not name');
  expect(line('Public address')).toContain('is not PUBLIC_URL');
  expect(line('Storage')).toContain('FailedThe server cannot save data');
  expect(screen.getByRole('link', { name: 'Embed Code' }).getAttribute('href')).toBe(
    `/dashboard/sites/${SHOP_ID}?tab=embed`,
  );
  expect(screen.getByRole('status').textContent).toMatch(/^4 failed, \d to check, \d fine\.$/);
});

it.each([
  ['whoever may know it', { percentFull: null }, 'AttentionThe database does not say how full its disk is'],
  ['nobody else', {}, 'Messages can be saved.'],
])('says that the fill of the disk is unknown: %s', async (_who, disk, says) => {
  fakeBrowser('granted');
  const { run } = await start({ ...WELL, storage: { writable: true, ...disk } });
  await run();
  expect(line('Storage')).toContain(says);
});

it('warns of polling, and of what the settings switch off', async () => {
  fakeBrowser('granted');
  const off = { emailNotifications: false, browserNotifications: false, soundEnabled: false, answerByMail: false };
  const { api, socket, run } = await start(WELL, off);
  api.on('POST /self-check/push', { sent: 0, gone: 0, failed: 0 });
  socket.connect();
  socket.carryBy('polling');
  await run();
  expect(line('Live connection')).toContain('AttentionMessages arrive by polling');
  for (const name of ['Sound', 'Desktop notifications', 'Mail']) expect(line(name)).toContain('Attention');
  expect(screen.getAllByRole('link', { name: 'Notification settings' }).length).toBeGreaterThan(2);
});

it('shows that the server did not answer', async () => {
  fakeBrowser('granted');
  const { api, run } = await start();
  for (const name of ['GET /self-check', 'POST /self-check/push', 'POST /self-check/mail'] as const)
    api.on(name, () => {
      throw new TypeError('offline');
    });
  await run();
  for (const name of ['Mail', 'Push messages', 'Encryption', 'Storage'])
    expect(line(name)).toContain('FailedThe server cannot be reached.');
});

it.each([
  [{ answer: 'Tuesday', ms: 1_240, tokens: 30, isEstimated: false }, 'OK', 'answered “Tuesday” after 1.2 s'],
  [{ answer: 'Tuesday', ms: 90, tokens: 30, isEstimated: true }, 'Attention', 'so they are estimated'],
  [{ answer: '', ms: 9_000, tokens: 30, isEstimated: false }, 'Attention', 'and said nothing'],
  [
    new Refusal(502, { code: 'MODEL_REFUSED', message: 'The model server refuses the key. Check AI_KEY.' }),
    'Failed',
    'Check AI_KEY',
  ],
])('tells platform admins what the language model said', async (answer, state, words) => {
  fakeBrowser('granted');
  const { api, run } = await start({ ...WELL, model: { name: 'qwen3', host: 'localhost:11434' } });
  api.on('POST /self-check/model', answer instanceof Refusal ? answer : { test: answer });
  await run();
  expect(line('Language model')).toContain(state);
  expect(line('Language model')).toContain(words);
});
