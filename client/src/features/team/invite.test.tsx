import { screen } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import { type FakeApi, fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import { GuestsOnly } from '../../app/guards.tsx';
import LoginPage from '../auth/LoginPage.tsx';
import RegisterPage from '../auth/RegisterPage.tsx';
import InvitePage from './InvitePage.tsx';

const PATH = '/invite/aaaaaaaaaaaaaaaaaaaaaa';
const INVITE = {
  siteName: 'Oak and Line',
  inviterName: 'Ana Lind',
  email: 'ben@example.com',
  role: 'agent' as const,
  expiresAt: '2026-06-03T12:00:00.000Z',
};
const GONE = new Refusal(404, { code: 'NOT_FOUND', message: 'Not found' });

const ROUTES = [
  { path: '/invite/:inviteId', element: <InvitePage /> },
  {
    element: <GuestsOnly />,
    children: [
      { path: '/login', element: <LoginPage /> },
      { path: '/register', element: <RegisterPage /> },
    ],
  },
  { path: '/dashboard', element: <p>Home screen</p> },
  { path: '/', element: <Outlet /> },
];

let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
  api.on('GET /invites/:inviteId', { invite: INVITE });
});

it('shows who invited you, to which team, and in which role', async () => {
  startApp(ROUTES, PATH, { api });
  expect(await screen.findByRole('heading', { name: 'Ana Lind invited you to Oak and Line' })).toBeTruthy();
  for (const text of ['ben@example.com', 'agent', 'can chat with visitors', 'June 3, 2026']) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register');
  expect(screen.queryByRole('button', { name: 'Accept invite' })).toBeNull();
});

it('goes through the login and back, then into the team', async () => {
  const { user, path } = startApp(ROUTES, PATH, { api });
  api.on('POST /auth/login', { user: makeUser({ email: INVITE.email }), token: 'fresh' });
  api.on('POST /invites/:inviteId/accept', { siteId: 'a'.repeat(24) });
  await user.click(await screen.findByRole('link', { name: 'Log in' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('ben@example.com');
  await user.type(screen.getByLabelText('Password'), 'a good one{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Accept invite' }));
  expect(await screen.findByText('Home screen')).toBeTruthy();
  expect(path()).toBe('/dashboard');
  expect(await screen.findByText('Welcome to the team of Oak and Line')).toBeTruthy();
  expect(localStorage.getItem('parley_site')).toBe('a'.repeat(24));
});

it('sends the invite with the sign-up, then offers to accept it', async () => {
  const { user } = startApp(ROUTES, PATH, { api });
  api.on('GET /auth/registration', { needsFoundingCode: false });
  api.on('POST /auth/register', { user: makeUser({ email: INVITE.email }), token: 'fresh' });
  await user.click(await screen.findByRole('link', { name: 'Sign up' }));
  await user.type(await screen.findByLabelText('Full name'), 'Ben');
  await user.type(screen.getByLabelText('Password'), 'fjord lily 42');
  await user.type(screen.getByLabelText('Confirm password'), 'fjord lily 42{Enter}');
  expect(await screen.findByRole('button', { name: 'Accept invite' })).toBeTruthy();
  expect(api.asked('POST /auth/register')[0]?.body).toMatchObject({ email: INVITE.email, invite: 'a'.repeat(22) });
});

it('lets no other account accept, and offers to log out', async () => {
  const { user } = startApp(ROUTES, PATH, { api, signedInAs: makeUser({ email: 'cleo@example.com' }) });
  api.on('POST /auth/logout', {});
  expect(await screen.findByText(/You are logged in as cleo@example.com/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept invite' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByRole('link', { name: 'Log in' })).toBeTruthy();
});

it.each([
  ['unknown, used, revoked or expired', GONE],
  ['misspelt', new Refusal(400, { code: 'BAD_ID', message: 'Not an id' })],
])('shows that an invite which is %s no longer works', async (_, refusal) => {
  api.on('GET /invites/:inviteId', refusal);
  startApp(ROUTES, PATH, { api });
  expect(await screen.findByText('This invite is no longer valid')).toBeTruthy();
});

it('shows when the invite was revoked while the page was open', async () => {
  const { user } = startApp(ROUTES, PATH, { api, signedInAs: makeUser({ email: INVITE.email }) });
  api.on('POST /invites/:inviteId/accept', GONE);
  await user.click(await screen.findByRole('button', { name: 'Accept invite' }));
  expect(await screen.findByText('This invite was used or revoked in the meantime.')).toBeTruthy();
});

it('offers a retry when the server cannot be reached', async () => {
  api.on('GET /invites/:inviteId', new Refusal(503, { code: 'UNAVAILABLE', message: 'Not now' }));
  const { user } = startApp(ROUTES, PATH, { api });
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByText('The invite could not be loaded.')).toBeTruthy();
  api.on('GET /invites/:inviteId', { invite: INVITE });
  await user.click(again);
  expect(await screen.findByRole('heading', { name: /invited you/ })).toBeTruthy();
});
