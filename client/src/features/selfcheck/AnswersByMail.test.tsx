import { screen, waitFor } from '@testing-library/react';
import type { MailInCheck, MailInState } from 'server/contract';
import { describe, expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeSettings, makeUser } from '../../../test/make.ts';
import SelfCheckPage from './SelfCheckPage.tsx';

const AT = '2026-01-05T09:00:00.000Z';
const MAIL_IN: MailInState = {
  address: 'chat@example.com',
  doors: [{ door: 'imap', node: null, isOpen: true, since: AT, error: null, lastMailAt: null }],
  waiting: null,
  today: { added: 0, later: 0, refused: {} },
};
const CHECK: MailInCheck = { _id: 'a'.repeat(24), startedAt: AT, isOver: false, plus: null, plain: null };

async function start(mailIn: MailInState | null = MAIL_IN, role: 'parley_admin' | 'user' = 'parley_admin') {
  const api = fakeApi();
  api.on('GET /settings', { settings: makeSettings() });
  api.on('GET /admin/mail-in', { mailIn });
  const started = startApp([{ path: '/', Component: SelfCheckPage }], '/', { api, signedInAs: makeUser({ role }) });
  await screen.findByRole('list', { name: 'Checks' });
  return started;
}
const row = () => screen.getByText('Answers by mail').closest('li')?.textContent;

/** Begins a test, and ends it with this. */
async function send(mailIn: MailInState, end: Partial<MailInCheck>) {
  const { api, user } = await start(mailIn);
  api.on('POST /self-check/mail-in', { check: { ...CHECK, isOver: true, ...end } });
  await user.click(await screen.findByRole('button', { name: 'Send a test' }));
  await screen.findByRole('button', { name: 'Send again' });
  return row();
}

it('is not shown to others than platform admins', async () => {
  await start(MAIL_IN, 'user');
  expect(screen.queryByText('Answers by mail')).toBeNull();
});

it('says that mails cannot be answered', async () => {
  await start(null);
  await waitFor(() => expect(row()).toContain('AttentionMails cannot be answered'));
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull();
});

it('waits for the mails, shows what arrives, and says when answers arrive', async () => {
  const { api, user } = await start();
  const plain = { via: 'imap' as const, ms: 3_200 };
  api.on('POST /self-check/mail-in', { check: { ...CHECK, plain } });
  expect(await screen.findByText('Sends two mails to chat@example.com, as visitors would.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Send a test' }));
  expect(await screen.findByText(/through “Mailbox \(IMAP\)” after 3 s\. Waiting for the one/)).toBeTruthy();
  api.on('GET /self-check/mail-in/:checkId', { check: { ...CHECK, plain, plus: { via: 'imap', ms: 4_800 } } });
  await waitFor(() => expect(row()).toMatch(/OK.*after 5 s\. Answers arrive\./), { timeout: 3_000 });
  expect(api.asked('POST /self-check/mail-in')).toHaveLength(1);
});

describe('says what to do when', () => {
  it('only the address without a token works', async () => {
    expect(await send(MAIL_IN, { plain: { via: 'lmtp', ms: 100 } })).toMatch(
      /Attention.*“LMTP port” after 1 s\..*but those with a \+ and a token do not\..*recipient_delimiter/,
    );
  });

  it('nothing arrives', async () => {
    expect(await send(MAIL_IN, {})).toMatch(/FailedNo mail has arrived at chat@example\.com\..*\(MX\).*spam/);
  });

  it('nothing can arrive', async () => {
    const doors = MAIL_IN.doors.map((door) => ({ ...door, isOpen: false, error: 'EAUTH' }));
    expect(await send({ ...MAIL_IN, doors }, {})).toMatch(/Failed.*“Mailbox \(IMAP\)” is not open: EAUTH/);
  });

  it('the test cannot be sent', async () => {
    const { api, user } = await start();
    const message = 'The mail server does not answer.';
    api.on('POST /self-check/mail-in', new Refusal(502, { code: 'MAIL_FAILED', message }));
    await user.click(await screen.findByRole('button', { name: 'Send a test' }));
    await waitFor(() => expect(row()).toContain(`Failed${message}`));
    expect(screen.getByRole('button', { name: 'Send again' }).getAttribute('aria-busy')).toBeNull();
  });
});
