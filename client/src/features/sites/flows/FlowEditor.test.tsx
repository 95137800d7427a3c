import { screen, waitFor, within } from '@testing-library/react';
import type { ArticleEntry, Department, FlowButton, FlowTarget, Site, SitePatch } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { ANA, dismiss, OAK, patched, startSites } from '../testing.ts';

const ids = { hours: 'a'.repeat(24), draft: 'b'.repeat(24), gone: 'c'.repeat(24), sales: 'd'.repeat(24) };
const ARTICLES = [
  { _id: ids.hours, status: 'published', texts: { en: { title: 'When we are open' } } },
  { _id: ids.draft, status: 'draft', texts: { en: { title: 'Returns' } } },
] as ArticleEntry[];
const SALES = { _id: ids.sales, name: 'Sales', visible: true } as Department;

const button = (id: string, label: string, target: FlowTarget = { kind: 'chat' }): FlowButton => ({
  id,
  label,
  target,
});
const ask = (question: string, ...buttons: FlowButton[]): FlowTarget => ({ kind: 'question', question, buttons });
const ORDER = button('aaaa0001', 'Order', ask('Which?', button('aaaa0002', 'Last'), button('aaaa0003', 'Other')));
const HOURS = button('aaaa0004', 'Hours');

async function open(buttons: FlowButton[], { role = 'admin' as Site['role'], departments = [SALES] } = {}) {
  const isOwner = role === 'admin';
  const site: Site = { ...OAK, role, isOwner, owner: ANA._id, settings: { ...OAK.settings, buttons } };
  const { user, api } = startSites(`/dashboard/sites/${site._id}?tab=customization`, { sites: [site] });
  const server = { refusal: undefined as Refusal | undefined };
  api.on('PATCH /sites/:id', ({ body }) => {
    const after = server.refusal ?? patched(site, body as SitePatch);
    return after instanceof Refusal ? after : { site: after };
  });
  api.on('GET /sites/:id/help-center', { helpCenter: { enabled: true, language: 'en' } as never });
  api.on('GET /sites/:id/articles', { articles: ARTICLES });
  api.on('GET /sites/:id/departments', { departments });
  await screen.findByRole('heading', { name: 'Buttons' });
  const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
  const pick = async (box: string, option: string) => {
    await user.click(screen.getByRole('combobox', { name: box }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  const write = async (name: string, text: string) => {
    const field = screen.getByRole('textbox', { name });
    await user.clear(field);
    await user.click(field);
    await user.paste(text);
  };
  const save = () => press('Save Changes');
  const sent = () => api.asked('PATCH /sites/:id').map(({ body }) => (body as SitePatch).settings);
  return { user, server, press, pick, write, save, sent };
}

const names = (list: string) =>
  [...screen.getByRole('list', { name: list }).querySelectorAll(':scope > li > div:first-child > div > button')].map(
    (row) => row.querySelector('[dir=auto]')?.textContent,
  );
const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

it('builds three levels, with each place that a button can lead to, and sends them when all is there', async () => {
  const { user, press, pick, write, save, sent } = await open([]);
  await press('Add button');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Text of the button' }));
  await user.paste('Order');
  await pick('Leads to', 'One more question');
  await save();
  // What is missing stands at its row, and gets the focus.
  const question = screen.getByRole('textbox', { name: 'Question' });
  expect(await screen.findByText(/^A question needs a text/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(question));
  await user.paste('Which one?');
  expect(screen.getByText('A question needs at least one button')).toBeTruthy();
  await press('Add button after “Order”');
  await user.paste('The last one');
  await pick('Leads to', 'One more question');
  await write('Question', 'What about it?');
  await press('Add button after “The last one”');
  await user.paste('Hours');
  // The third level is the last one.
  await user.click(screen.getByRole('combobox', { name: 'Leads to' }));
  expect(screen.queryByRole('option', { name: 'One more question' })).toBeNull();
  await user.click(screen.getByRole('option', { name: 'A help article' }));
  await pick('Article', 'When we are open');
  await press('Add button');
  await user.paste('Call us');
  await pick('Leads to', 'A link');
  await user.click(screen.getByRole('textbox', { name: 'Address' }));
  await user.paste(' tel:+49301234 ');
  expect(sent()).toEqual([]);
  expect(screen.getByText('4 of 60 in all')).toBeTruthy();
  await save();
  await dismiss(user);
  const id = expect.stringMatching(/^[\da-f-]{36}$/);
  const third = [{ id, label: 'Hours', target: { kind: 'article', article: ids.hours } }];
  const second = [
    { id, label: 'The last one', target: { kind: 'question', question: 'What about it?', buttons: third } },
  ];
  const first = [
    { id, label: 'Order', target: { kind: 'question', question: 'Which one?', buttons: second } },
    { id, label: 'Call us', target: { kind: 'link', url: 'tel:+49301234' } },
  ];
  expect(sent()).toEqual([{ buttons: first }]);
}, 30_000);

it('begins with examples, and is sorted by keys, which keep the focus', async () => {
  const { user, press, save, sent } = await open([]);
  await press('Add these examples');
  expect(names('Buttons')).toEqual(['Where is my order?', 'Opening hours', 'Talk to us']);
  screen.getByRole('button', { name: 'Move Talk to us up' }).focus();
  await user.keyboard('{Enter}');
  expect(screen.getByText('Talk to us is now 2 of 3')).toBeTruthy();
  expect(focused()).toBe('Move Talk to us up');
  await user.keyboard('{Enter}');
  // At the top there is no further up.
  expect(focused()).toBe('Move Talk to us down');
  await press('Move Longer ago up');
  expect(names('Buttons after “Where is my order?”')).toEqual(['Longer ago', 'Less than a week ago']);
  await save();
  await dismiss(user);
  expect(sent()[0]?.buttons?.map(({ label }) => label)).toEqual(['Talk to us', 'Where is my order?', 'Opening hours']);
});

it('asks before a question loses its buttons, and only then', async () => {
  const { user, press, pick } = await open([ORDER, HOURS]);
  await press('Remove Order');
  const dialog = await screen.findByRole('alertdialog', { name: 'Remove “Order”?' });
  expect(dialog.textContent).toContain('removed, too: 2.');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await press(/^Order/);
  await pick('Leads to', 'The team');
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(names('Buttons after “Order”')).toEqual(['Last', 'Other']);
  await press('Remove Last');
  expect(names('Buttons after “Order”')).toEqual(['Other']);
  expect(focused()).toContain('Other');
  await press('Remove Order');
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(names('Buttons')).toEqual(['Hours']);
  await waitFor(() => expect(focused()).toContain('Hours'));
});

it('marks what visitors cannot reach, what reads alike, and what the server refuses', async () => {
  const { user, server, press, write, save, sent } = await open(
    [
      button('aaaa0001', 'Gone', { kind: 'article', article: ids.gone }),
      button('aaaa0002', 'Draft', { kind: 'article', article: ids.draft }),
      button('aaaa0003', 'Team', { kind: 'department', department: ids.gone }),
    ],
    { departments: [] },
  );
  await waitFor(() => expect(screen.getByRole('button', { name: /^Gone.*article was deleted/ })).toBeTruthy());
  expect(screen.getByRole('button', { name: /^Draft.*Opens “Returns”.*not published/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Team.*department was deleted/ })).toBeTruthy();
  await press(/^Draft/);
  await write('Text of the button', 'Gone ');
  await press(/^Gone.*Returns/);
  await save();
  // It opens, wherever it is.
  expect(await screen.findByText('Two buttons beside each other have the same text')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Text of the button' })));
  expect(sent()).toEqual([]);
  await write('Text of the button', 'Returns');
  const msg = 'Choose another article';
  server.refusal = new Refusal(422, {
    code: 'VALIDATION_FAILED',
    message: 'Invalid',
    errors: [{ path: 'settings.buttons', msg }],
  });
  await save();
  await dismiss(user);
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(msg);
});

it('says where the limits are', async () => {
  const six = Array.from({ length: 6 }, (_, n) => button(`aaaa001${n}`, `Number ${n}`));
  const { user } = await open([
    ...six.slice(0, 5),
    { ...ORDER, target: ask('Which?', ...six.map((each, n) => ({ ...each, id: `bbbb000${n}` }))) },
  ]);
  expect(screen.getAllByText('There can be up to 6 buttons at a time')).toHaveLength(2);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add button' }).disabled).toBe(true);
  await user.click(screen.getAllByRole('button', { name: 'Remove Number 4' })[0] as HTMLElement);
  expect(screen.getByText('5 of 6')).toBeTruthy();
});
