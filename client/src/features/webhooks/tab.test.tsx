import { screen, within } from '@testing-library/react';
import type { Delivery, Webhook } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { OAK, startSites } from '../sites/testing.ts';

const HOOK: Webhook = {
  _id: 'a'.repeat(24),
  kind: 'custom',
  telegramChat: null,
  url: 'https://hooks.example.com/parley?key=1',
  events: ['chat.opened'],
  enabled: true,
  failingSince: null,
  switchedOffAt: null,
  switchedOffFor: null,
  createdAt: '2026-01-05T09:00:00.000Z',
};
const SENT: Delivery = {
  _id: 'msg_1',
  event: 'chat.opened',
  status: 'sent',
  count: 1,
  attempts: 1,
  answerStatus: 204,
  failure: null,
  answer: '',
  at: '2026-01-05T09:00:00.000Z',
  triedAt: '2026-01-05T09:00:01.000Z',
  nextAt: null,
};
const REFUSED: Delivery = {
  ...SENT,
  _id: 'msg_2',
  status: 'failed',
  answerStatus: 404,
  failure: 'status',
  answer: 'no_service',
};
const SECRET = 'whsec_c2VjcmV0';

/** The tab of a site with these webhooks. */
async function openTab(webhooks: Webhook[], site = OAK) {
  const started = startSites(`/dashboard/sites/${OAK._id}?tab=webhooks`, { sites: [site] });
  started.api.on('GET /sites/:id/webhooks', { webhooks });
  const tab = within(await screen.findByRole('tabpanel', { name: 'Webhooks' }));
  return { ...started, tab };
}

it('adds a webhook from the empty state, shows what is wrong at its field, and then the secret', async () => {
  const { user, api, tab } = await openTab([]);
  await user.click(await tab.findByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  const save = dialog.getByRole('button', { name: 'Add webhook' });
  await user.click(dialog.getByRole('radio', { name: 'Your own program' }));
  await user.click(save);
  expect(await dialog.findByText('Enter the address')).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: 'Address' }), 'https://10.0.0.1/');
  for (const name of ['Chat opened', 'Message']) await user.click(dialog.getByRole('checkbox', { name }));
  await user.click(save);
  expect(await dialog.findByText('Choose at least one event')).toBeTruthy();
  await user.click(dialog.getByRole('checkbox', { name: 'Chat rated' }));
  const errors = [{ path: 'url', msg: 'Address must be reachable from the internet' }];
  api.on('POST /sites/:id/webhooks', new Refusal(422, { code: 'VALIDATION_FAILED', message: 'No', errors }));
  await user.click(save);
  expect(await dialog.findByText('Address must be reachable from the internet')).toBeTruthy();
  api.on('POST /sites/:id/webhooks', { webhook: HOOK, secret: SECRET });
  await user.click(save);
  expect(await dialog.findByRole<HTMLInputElement>('textbox', { name: 'Secret' })).toHaveProperty('value', SECRET);
  expect(api.asked('POST /sites/:id/webhooks').at(-1)?.body).toEqual({
    kind: 'custom',
    url: 'https://10.0.0.1/',
    events: ['chat.rated'],
  });
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await tab.findByRole('heading', { name: 'hooks.example.com' })).toBeTruthy();
});

it('adds Slack, sends a test at once and shows whether it arrived, with its address kept out of sight', async () => {
  const { user, api, tab } = await openTab([]);
  await user.click(await tab.findByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  expect(dialog.getByRole('radio', { name: 'Slack' })).toHaveProperty('checked', true);
  const url = 'https://hooks.slack.com/services/T0/B0/abcdefgh';
  await user.type(dialog.getByRole('textbox', { name: 'Address' }), url);
  const slack: Webhook = { ...HOOK, kind: 'slack', url };
  api.on('POST /sites/:id/webhooks', { webhook: slack, secret: null });
  api.on('POST /sites/:id/webhooks/:webhookId/test', { delivery: REFUSED });
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText('The test failed. The receiver refused it, with status 404.')).toBeTruthy();
  expect(dialog.getByText(/^The webhook is on, but its test did not arrive/)).toBeTruthy();
  api.on('POST /sites/:id/webhooks/:webhookId/test', { delivery: SENT });
  await user.click(dialog.getByRole('button', { name: 'Send another test' }));
  expect(await dialog.findByText('The test has arrived. The receiver answered 204.')).toBeTruthy();
  expect(dialog.getByText('The webhook is on. Look into Slack: the test should be there.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(await tab.findByRole('heading', { name: 'Slack' })).toBeTruthy();
  expect(tab.getByText('hooks.slack.com/…efgh')).toBeTruthy();
});

it("asks for a bot's token and a chat of Telegram, and keeps the token where none is entered", async () => {
  const { user, api, tab } = await openTab([]);
  await user.click(await tab.findByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  await user.click(dialog.getByRole('radio', { name: 'Telegram' }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText('Enter the token')).toBeTruthy();
  await user.type(dialog.getByRole('textbox', { name: 'Bot token' }), '123:abc');
  await user.type(dialog.getByRole('textbox', { name: 'Chat ID' }), '-42');
  const errors = [{ path: 'botToken', msg: 'Enter the token that @BotFather gave' }];
  api.on('POST /sites/:id/webhooks', new Refusal(422, { code: 'VALIDATION_FAILED', message: 'No', errors }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText('Enter the token that @BotFather gave')).toBeTruthy();
  const url = 'https://api.telegram.org';
  api.on('POST /sites/:id/webhooks', {
    webhook: { ...HOOK, kind: 'telegram', url, telegramChat: '-42' },
    secret: null,
  });
  api.on('POST /sites/:id/webhooks/:webhookId/test', { delivery: SENT });
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  await dialog.findByText(/^The test has arrived/);
  const events = ['chat.opened', 'message.created'];
  const body = { kind: 'telegram', url, botToken: '123:abc', telegramChat: '-42', events };
  expect(api.asked('POST /sites/:id/webhooks').at(-1)?.body).toEqual(body);
  await user.click(dialog.getByRole('button', { name: 'Done' }));

  expect(await tab.findByText('Chat -42')).toBeTruthy();
  await user.click(tab.getByRole('button', { name: 'Edit' }));
  const edit = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
  expect(edit.queryByRole('radio')).toBeNull();
  expect(edit.queryByRole('button', { name: 'Show secret' })).toBeNull();
  api.on('PATCH /sites/:id/webhooks/:webhookId', { webhook: HOOK });
  await user.click(edit.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: 'hooks.example.com' });
  const patch = { url, telegramChat: '-42', events: ['chat.opened'] };
  expect(api.asked('PATCH /sites/:id/webhooks/:webhookId')[0]?.body).toEqual(patch);
});

it('sends a test and shows what the receiver answered', async () => {
  const { user, api, tab } = await openTab([HOOK]);
  api.on('POST /sites/:id/webhooks/:webhookId/test', { delivery: REFUSED });
  await user.click(await tab.findByRole('button', { name: 'Send a test' }));
  expect(await tab.findByText('The test failed. The receiver refused it, with status 404.')).toBeTruthy();
  expect(tab.getByText('no_service')).toBeTruthy();
  api.on('POST /sites/:id/webhooks/:webhookId/test', { delivery: SENT });
  await user.click(tab.getByRole('button', { name: 'Send a test' }));
  expect(await tab.findByText('The test has arrived. The receiver answered 204.')).toBeTruthy();
});

it('lists the last deliveries and sends one again', async () => {
  const { user, api, tab } = await openTab([HOOK]);
  api.on('GET /sites/:id/webhooks/:webhookId/deliveries', { deliveries: [REFUSED, SENT] });
  await user.click(await tab.findByRole('button', { name: 'Deliveries' }));
  const rows = within(await tab.findByRole('list', { name: 'Last deliveries' })).getAllByRole('listitem');
  expect(rows.map((row) => within(row).getByText(/^(Sent|Failed)$/).textContent)).toEqual(['Failed', 'Sent']);
  const waiting: Delivery = { ...REFUSED, status: 'waiting', attempts: 2, nextAt: '2026-01-05T10:00:00.000Z' };
  api.on('GET /sites/:id/webhooks/:webhookId/deliveries', { deliveries: [waiting, SENT] });
  api.on('POST /sites/:id/webhooks/:webhookId/deliveries/:deliveryId/resend', { delivery: waiting });
  await user.click(within(rows[0] as HTMLElement).getByRole('button', { name: 'Send again: Chat opened' }));
  expect(await tab.findByText('Waiting')).toBeTruthy();
  expect(api.asked('POST /sites/:id/webhooks/:webhookId/deliveries/:deliveryId/resend')[0]?.params).toMatchObject({
    deliveryId: 'msg_2',
  });
});

it('says that a webhook was switched off, and switches, changes and deletes it', async () => {
  const { user, api, tab } = await openTab([
    { ...HOOK, enabled: false, switchedOffAt: '2026-01-06T09:00:00.000Z', switchedOffFor: 'failing' },
  ]);
  expect(await tab.findByText(/nothing was accepted for a day/)).toBeTruthy();
  api.on('PATCH /sites/:id/webhooks/:webhookId', ({ body }) => ({ webhook: { ...HOOK, ...(body as object) } }));
  await user.click(tab.getByRole('switch', { name: 'Send events to hooks.example.com' }));
  expect(await tab.findByRole('switch', { checked: true })).toBeTruthy();
  expect(tab.queryByText(/nothing was accepted/)).toBeNull();

  await user.click(tab.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
  api.on('GET /sites/:id/webhooks/:webhookId/secret', { secret: SECRET });
  await user.click(dialog.getByRole('button', { name: 'Show secret' }));
  expect(await dialog.findByRole('textbox', { name: 'Secret' })).toHaveProperty('value', SECRET);
  await user.click(dialog.getByRole('checkbox', { name: 'Message' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const events = within(await tab.findByRole('list', { name: 'Events' }));
  expect(events.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Chat opened', 'Message']);

  api.on('DELETE /sites/:id/webhooks/:webhookId', {});
  await user.click(tab.getByRole('button', { name: 'Delete' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete Webhook' }));
  await user.click(question.getByRole('button', { name: 'Delete' }));
  expect(await tab.findByText('No webhooks yet')).toBeTruthy();
});

it('says that a webhook was switched off with the API key that set it up', async () => {
  const off = { enabled: false, switchedOffAt: '2026-01-06T09:00:00.000Z', switchedOffFor: 'api_key' } as const;
  const { tab } = await openTab([{ ...HOOK, ...off }]);
  expect(await tab.findByText(/the API key that set it up was revoked/)).toBeTruthy();
  expect(tab.queryByText(/nothing was accepted/)).toBeNull();
});

it('is for admins only', async () => {
  startSites(`/dashboard/sites/${OAK._id}?tab=webhooks`, { sites: [{ ...OAK, role: 'agent', isOwner: false }] });
  await screen.findByRole('tab', { name: 'General' });
  expect(screen.queryByRole('tab', { name: 'Webhooks' })).toBeNull();
});
