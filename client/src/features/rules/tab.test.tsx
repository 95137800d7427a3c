import { screen, waitFor, within } from '@testing-library/react';
import type { Rule, RuleRun } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { ANA, OAK, startSites } from '../sites/testing.ts';

const GONE = 'f'.repeat(24);
const TEAM = [{ userId: { _id: ANA._id, name: ANA.name, email: ANA.email }, role: 'admin' as const }];
const SALES: Rule = {
  _id: 'd'.repeat(24),
  name: 'Sales',
  enabled: true,
  event: 'opened',
  minutes: null,
  conditions: { page: '/pricing', languages: ['de'] },
  actions: [
    { do: 'tag', tag: 'sales' },
    { do: 'department', department: GONE },
  ],
  rev: 2,
};
const LATE: Rule = {
  ...SALES,
  _id: 'e'.repeat(24),
  name: 'Late',
  event: 'unanswered',
  minutes: 90,
  conditions: {},
  actions: [{ do: 'mail', members: [ANA._id] }],
};
const CHAT = 'c'.repeat(24);
const RUN: RuleRun = {
  _id: 'b'.repeat(24),
  rule: { _id: LATE._id, name: 'Late' },
  chatId: CHAT,
  visitorName: 'Vera',
  at: '2026-11-02T10:00:00.000Z',
  actions: LATE.actions.map((action) => ({ action, outcome: 'done' })),
};

async function openTab(rules: Rule[]) {
  const started = startSites(`/dashboard/sites/${OAK._id}?tab=rules`, { sites: [{ ...OAK, team: TEAM }] });
  const { api } = started;
  api.on('GET /sites/:id/rules', { rules });
  api.on('GET /sites/:id/rules/runs', { runs: rules.length > 0 ? [RUN] : [], nextCursor: null });
  api.on('GET /sites/:id/departments', { departments: [] });
  api.on('GET /sites/:id/webhooks', { webhooks: [] });
  api.on('GET /canned-replies', { replies: [], nextCursor: null });
  api.on('GET /inbox/tags', { tags: ['sales'] });
  return { ...started, tab: within(await screen.findByRole('tabpanel', { name: 'Rules' })) };
}

it('begins with an example, asks for what it lacks, and tries it before it is added', async () => {
  const { user, api, tab } = await openTab([]);
  await user.click(await tab.findByRole('button', { name: 'Send a mail when nobody answers' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Add rule' }));
  await user.click(panel.getByRole('button', { name: 'Add rule' }));
  expect(await panel.findByText('Choose what each action is about, or remove it.')).toBeTruthy();
  api.on('POST /sites/:id/rules/trial', { chats: 40, matches: [] });
  // Nothing is done, so it can be tried before it is known what is to be done.
  await user.click(panel.getByRole('button', { name: 'Try it on the last 100 chats' }));
  expect(await panel.findByText('It would have applied to 0 of 40 chats.')).toBeTruthy();
  const mail = within(panel.getByRole('group', { name: 'Send a mail to members' }));
  await user.click(mail.getByRole('checkbox', { name: ANA.name }));
  await user.click(panel.getByRole('button', { name: 'Remove: Office hours' }));

  api.on('POST /sites/:id/rules/trial', {
    chats: 40,
    matches: [{ chatId: CHAT, visitorName: 'Vera', at: RUN.at }],
  });
  await user.click(panel.getByRole('button', { name: 'Try it on the last 100 chats' }));
  expect(await panel.findByText('It would have applied to 1 of 40 chats.')).toBeTruthy();
  expect(panel.getByRole('link', { name: /^Vera/ }).getAttribute('href')).toContain(CHAT);
  // Of another rule than the one in the form it would be wrong.
  await user.click(panel.getByRole('combobox', { name: 'For' }));
  await user.click(await screen.findByRole('option', { name: '15 min' }));
  expect(panel.queryByText(/^It would have applied/)).toBeNull();
  await user.type(panel.getByRole('textbox', { name: 'Name' }), '!');

  api.on('POST /sites/:id/rules', { rules: [LATE] });
  await user.click(panel.getByRole('button', { name: 'Add rule' }));
  expect(await tab.findByRole('listitem', { name: 'Late' })).toBeTruthy();
  expect(api.asked('POST /sites/:id/rules')[0]?.body).toEqual({
    name: 'Send a mail when nobody answers!',
    enabled: true,
    event: 'unanswered',
    minutes: 15,
    conditions: {},
    actions: [{ do: 'mail', members: [ANA._id] }],
  });
});

it('is there again with all that was entered when its panel was closed by Escape, and gone after Cancel or when it is saved', async () => {
  const { user, api, tab } = await openTab([SALES]);
  const open = async () => {
    await user.click(await tab.findByRole('button', { name: 'Add rule' }));
    return within(await screen.findByRole('dialog', { name: 'Add rule' }));
  };
  const first = await open();
  await user.type(first.getByRole('textbox', { name: 'Name' }), 'Long wait');
  await user.click(first.getByRole('combobox', { name: 'When' }));
  await user.click(await screen.findByRole('option', { name: 'A visitor has had no answer for some time' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const second = await open();
  expect(second.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Long wait');
  expect(second.getByRole('combobox', { name: 'For' }).textContent).toBe('10 min');
  await user.click(second.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(second.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', ''));
  expect(second.queryByRole('combobox', { name: 'For' })).toBeNull();
  await user.click(await screen.findByText('Undo'));
  await waitFor(() => expect(second.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Long wait'));
  await user.click(second.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('What you typed was discarded.')).toBeTruthy();
  const third = await open();
  expect(third.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', '');
  await user.type(third.getByRole('textbox', { name: 'Name' }), 'Short wait');
  await user.click(third.getByRole('button', { name: 'Add action' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Add a tag' }));
  await user.type(third.getByRole('group', { name: 'Add a tag' }).querySelector('input') as HTMLElement, 'slow');
  api.on('POST /sites/:id/rules', { rules: [SALES, LATE] });
  await user.click(third.getByRole('button', { name: 'Add rule' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await open()).getByRole('textbox', { name: 'Name' })).toHaveProperty('value', '');
});

it('reads as sentences, says what is gone, and is switched off, sorted and deleted', async () => {
  const { user, api, tab } = await openTab([SALES, LATE]);
  const sales = within(await tab.findByRole('listitem', { name: 'Sales' }));
  expect(sales.getByText('A visitor begins a chat')).toBeTruthy();
  expect(sales.getByText('the page’s address contains /pricing')).toBeTruthy();
  expect(sales.getByText('the language is German')).toBeTruthy();
  expect(await sales.findByText('What was chosen does not exist any more.')).toBeTruthy();
  const late = within(tab.getByRole('listitem', { name: 'Late' }));
  expect(late.getByText(/^A visitor has had no answer for 1 hr\D+30 min$/)).toBeTruthy();
  expect(await tab.findByRole('link', { name: 'Vera' })).toBeTruthy();

  api.on('PATCH /sites/:id/rules/:ruleId', { rules: [{ ...SALES, enabled: false, rev: 3 }, LATE] });
  await user.click(sales.getByRole('switch', { name: 'Apply Sales' }));
  expect(api.asked('PATCH /sites/:id/rules/:ruleId')[0]?.body).toEqual({ enabled: false, rev: 2 });

  api.on('PUT /sites/:id/rules', { rules: [LATE, SALES] });
  await user.click(tab.getByRole('button', { name: 'Move Late up' }));
  expect(api.asked('PUT /sites/:id/rules')[0]?.body).toEqual({ ids: [LATE._id, SALES._id] });

  await user.click(tab.getByRole('button', { name: 'Delete Sales' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete rule' }));
  api.on('DELETE /sites/:id/rules/:ruleId', { rules: [LATE] });
  await user.click(question.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('The rule is deleted')).toBeTruthy();
  expect(tab.queryByRole('listitem', { name: 'Sales' })).toBeNull();
});

it('keeps what was chosen when somebody else has changed the rule, and drops conditions of another event', async () => {
  const { user, api, tab } = await openTab([
    { ...SALES, conditions: { words: ['refund'], page: '/a' }, actions: [{ do: 'tag', tag: 'x' }] },
  ]);
  await user.click(await tab.findByRole('button', { name: 'Edit Sales' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Edit rule' }));
  await user.click(panel.getByRole('combobox', { name: 'When' }));
  await user.click(await screen.findByRole('option', { name: 'A visitor rates a chat' }));
  await user.click(panel.getByRole('button', { name: 'Add condition' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rating' }));
  api.on(
    'PATCH /sites/:id/rules/:ruleId',
    new Refusal(409, { code: 'SETTINGS_CHANGED', message: 'Somebody else has changed this meanwhile.' }),
  );
  await user.click(panel.getByRole('button', { name: 'Save' }));
  expect(await panel.findByText(/^Somebody else has changed this rule meanwhile/)).toBeTruthy();
  expect(api.asked('PATCH /sites/:id/rules/:ruleId')[0]?.body).toMatchObject({
    event: 'rated',
    conditions: { page: '/a', score: 2 },
    rev: 2,
  });
  expect(panel.getByRole('group', { name: 'Rating' })).toBeTruthy();
});
