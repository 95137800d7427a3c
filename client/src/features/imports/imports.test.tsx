import { act, screen, waitFor, within } from '@testing-library/react';
import type { HistoryImport, ImportRunBody } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeUploads } from '../../../test/upload.ts';
import { localTimeZone } from '../../lib/format.ts';
import { OAK, startSites } from '../sites/testing.ts';

const WAITS: HistoryImport = {
  _id: 'b'.repeat(24),
  fileName: 'chats.csv',
  status: 'uploaded',
  source: 'Chatwoot',
  rows: 1_204,
  columns: [
    { name: 'conversation_id', samples: ['7', '8'] },
    { name: 'created_at', samples: ['2024-05-06 09:00'] },
    { name: 'message_type', samples: ['0', '1'] },
    { name: 'content', samples: ['Hi', '<b>Hello</b>'] },
    { name: 'contact', samples: ['Mina Park'] },
  ],
  plan: {
    columns: { conversation: 'conversation_id', time: 'created_at', sender: 'message_type' },
    timeZone: 'UTC',
    dayFirst: true,
  },
  done: 0,
  total: null,
  counts: { chats: 0, messages: 0, people: 0, knownChats: 0, knownMessages: 0, skipped: [] },
  failure: null,
  createdAt: '2026-01-05T09:00:00.000Z',
  finishedAt: null,
};
const COUNTS = {
  chats: 2,
  messages: 1_200,
  people: 1,
  knownChats: 3,
  knownMessages: 8,
  skipped: [{ why: 'badTime' as const, rows: 12, lines: [4, 9] }],
};

async function openImport(newest: HistoryImport | null) {
  const app = startSites(`/dashboard/sites/${OAK._id}`);
  let now = newest;
  app.api.on('GET /sites/:id/imports', () => ({ imports: now ? [now] : [] }));
  await app.user.click(await screen.findByText('More'));
  await app.user.click(await screen.findByRole('button', { name: 'Import history' }));
  const section = within(await screen.findByRole('region', { name: 'History of another chat' }));
  const become = (next: HistoryImport) => {
    now = next;
  };
  return { ...app, section, become };
}

it('sends a file, asks which column is what, tries it, and imports it', async () => {
  const sent = fakeUploads();
  const { user, api, section, become } = await openImport(null);
  await user.upload(await section.findByLabelText('File with the history'), new File(['a'], 'chats.csv'));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ path: `/api/sites/${OAK._id}/imports`, query: { name: 'chats.csv' } });
  act(() => sent[0]?.answer(201, { success: true, data: { import: WAITS } }));

  expect(await section.findByText(/1,204 rows. It looks like an export of Chatwoot/)).toBeTruthy();
  const check = section.getByRole('button', { name: 'Check the file' });
  expect(check).toHaveProperty('disabled', true);
  await user.click(section.getByRole('combobox', { name: 'Text' }));
  await user.click(await screen.findByRole('option', { name: /^content/ }));
  expect(section.getByText('Hi · <b>Hello</b>')).toBeTruthy();
  await user.click(section.getByRole('combobox', { name: 'Name of the visitor (optional)' }));
  await user.click(await screen.findByRole('option', { name: /^contact/ }));

  const checked = (body: object, status: HistoryImport['status']) => {
    const { dryRun, ...plan } = body as ImportRunBody;
    const next = { ...WAITS, plan, status, done: 5, total: 5, counts: COUNTS };
    become(next);
    return { import: next };
  };
  api.on('POST /sites/:id/imports/:importId/run', ({ body }) => checked(body as object, 'checked'));
  await user.click(check);
  const found = within(await section.findByRole('region', { name: 'What would be imported' }));
  expect(found.getByText('New messages').nextElementSibling?.textContent).toBe('1,200');
  expect(found.getByText(/^3 chats with 8 messages are already there/)).toBeTruthy();
  expect(found.getByText('A time that cannot be read').nextElementSibling?.textContent).toBe('12 rows, first 4, 9');
  const [asked] = api.asked('POST /sites/:id/imports/:importId/run');
  expect(asked?.body).toMatchObject({
    columns: { ...WAITS.plan.columns, text: 'content', visitorName: 'contact' },
    timeZone: localTimeZone(),
    dryRun: true,
  });

  api.on('POST /sites/:id/imports/:importId/run', ({ body }) => checked(body as object, 'done'));
  await user.click(section.getByRole('button', { name: 'Import 2 chats' }));
  expect(await section.findByText('2 chats imported.')).toBeTruthy();
  expect(section.getByRole('link', { name: 'Open the history' }).getAttribute('href')).toBe(
    `/dashboard/history?siteId=${OAK._id}`,
  );
  expect(section.getByRole('button', { name: 'Choose a file' })).toBeTruthy();
});

it('has to be tried again after a change', async () => {
  const columns = { ...WAITS.plan.columns, text: 'content' };
  const { user, section } = await openImport({
    ...WAITS,
    status: 'checked',
    counts: COUNTS,
    plan: { ...WAITS.plan, columns },
  });
  expect(await section.findByRole('button', { name: 'Import 2 chats' })).toBeTruthy();
  await user.click(section.getByRole('combobox', { name: 'Message id (optional)' }));
  await user.click(await screen.findByRole('option', { name: /^contact/ }));
  expect(section.queryByRole('button', { name: 'Import 2 chats' })).toBeNull();
  expect(section.getByRole('button', { name: 'Check the file' })).toHaveProperty('disabled', false);
});

it('shows the progress, and cancels', async () => {
  const running: HistoryImport = { ...WAITS, status: 'importing', done: 50, total: 200 };
  const { user, api, section, become } = await openImport(running);
  expect((await section.findByRole('meter', { name: 'Importing' })).getAttribute('aria-valuetext')).toBe(
    '50 of 200 chats',
  );
  become({ ...running, done: 150 });
  expect(await section.findByText('150 of 200 chats', undefined, { timeout: 5_000 })).toBeTruthy();
  const cancelled: HistoryImport = { ...running, status: 'cancelled', counts: COUNTS };
  become(cancelled);
  api.on('DELETE /sites/:id/imports/:importId', { import: cancelled });
  await user.click(section.getByRole('button', { name: 'Cancel' }));
  expect(await section.findByText('The import was cancelled. What it had stored stays.')).toBeTruthy();
});

it('says why an import has failed, and lets one start it again', async () => {
  const { section } = await openImport({ ...WAITS, status: 'failed', failure: 'SITE_FULL' });
  expect((await section.findByRole('alert')).textContent).toContain('This website has no storage left.');
  expect(section.getByRole('button', { name: 'Check the file' })).toBeTruthy();
});
