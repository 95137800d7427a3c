import { screen, within } from '@testing-library/react';
import type { MailInState } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import { MailIn } from './MailIn.tsx';

const AT = '2026-01-05T09:00:00.000Z';
const STATE: MailInState = {
  address: 'chat@example.com',
  doors: [
    { door: 'imap', node: null, isOpen: true, since: AT, error: null, lastMailAt: AT },
    { door: 'smtp', node: 'two:3000', isOpen: false, since: AT, error: 'EADDRINUSE', lastMailAt: null },
  ],
  waiting: { count: 2, since: AT },
  today: { added: 1, later: 5, refused: { automatic: 3, expired: 1 } },
};

function start(mailIn: MailInState | null | Refusal) {
  const api = fakeApi();
  api.on('GET /admin/mail-in', mailIn instanceof Refusal ? mailIn : { mailIn });
  const routes = [{ path: '/', Component: MailIn }];
  return startApp(routes, '/', { api, signedInAs: makeUser({ role: 'parley_admin' }) });
}

it('shows the address, whether each way in is open, and what became of the mails of today', async () => {
  start(STATE);
  expect((await screen.findByText('chat@example.com')).tagName).toBe('BDI');
  const [open, shut] = within(screen.getByRole('list', { name: 'Ways in' })).getAllByRole('listitem');
  expect(open?.textContent).toMatch(/^Mailbox \(IMAP\)Open since Jan 5.* · last mail Jan 5/);
  expect(shut?.textContent).toMatch(/^SMTP porttwo:3000Not open since Jan 5.* · no mail yetEADDRINUSE$/);
  expect(screen.getByText('Today 1 mail became a message · 4 were not taken · 5 tries were put off')).toBeTruthy();
  expect(screen.getByText(/^2 mails wait in the mailbox for a later try, since Jan 5/)).toBeTruthy();
  const reasons = within(screen.getByRole('list', { name: 'Not taken' })).getAllByRole('listitem');
  expect(reasons.map(({ textContent }) => textContent)).toEqual(['the address has expired: 1', 'automatic answers: 3']);
});

it('shows no reasons on a day without refusals', async () => {
  start({ ...STATE, waiting: null, today: { added: 2, later: 0, refused: {} } });
  expect(await screen.findByText('Today 2 mails became messages · 0 were not taken')).toBeTruthy();
  expect(screen.queryByRole('list', { name: 'Not taken' })).toBeNull();
});

it('shows nothing where mails do not come in', async () => {
  const { api } = start(null);
  await expect.poll(() => api.asked('GET /admin/mail-in')).toHaveLength(1);
  await expect.poll(() => screen.queryByText('Mails that come in')).toBeNull();
});

it('says that it could not be loaded, and tries again', async () => {
  const { api, user } = start(new Refusal(400, { code: 'NO', message: 'No' }));
  expect(await screen.findByText('The state of mails could not be loaded.')).toBeTruthy();
  api.on('GET /admin/mail-in', { mailIn: STATE });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('chat@example.com')).toBeTruthy();
});
