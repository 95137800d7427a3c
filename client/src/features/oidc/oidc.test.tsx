import { screen, waitFor } from '@testing-library/react';
import { TOKEN_KEY } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import { GuestsOnly } from '../../app/guards.tsx';
import LoginPage from '../auth/LoginPage.tsx';
import RegisterPage from '../auth/RegisterPage.tsx';

const ROUTES = [
  {
    element: <GuestsOnly />,
    children: [
      { path: '/login', element: <LoginPage /> },
      { path: '/register', element: <RegisterPage /> },
    ],
  },
  { path: '/dashboard/*', element: <p>The dashboard</p> },
];

function start(path: string, { only = false, needsFoundingCode = false } = {}, api = fakeApi()) {
  api.on('GET /auth/oidc', { provider: { name: 'Acme ID', only } });
  api.on('GET /auth/registration', { needsFoundingCode });
  return { ...startApp(ROUTES, path, { api }), api };
}

const BUTTON = { name: 'Sign in with Acme ID' };

it('the pages for guests have a button for the provider, which says why it does not get there', async () => {
  const { api, user } = start('/login');
  const text = 'Acme ID cannot be reached right now. Please try again in a moment.';
  api.on('POST /auth/oidc/start', new Refusal(503, { code: 'OIDC_UNREACHABLE', message: text }));
  await user.click(await screen.findByRole('button', BUTTON));
  expect((await screen.findByRole('alert')).textContent).toBe(text);
  // What was typed there is not wrong.
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).not.toBe('true');
});

it('the founding code goes along from the page to register', async () => {
  const { api, user } = start('/register', { needsFoundingCode: true, only: true });
  api.on('POST /auth/oidc/start', new Refusal(503, { code: 'OIDC_UNREACHABLE', message: 'Later.' }));
  await user.type(await screen.findByLabelText('Founding code'), 'abcd-efgh');
  await user.click(screen.getByRole('button', BUTTON));
  await waitFor(() => expect(api.asked('POST /auth/oidc/start')[0]?.body).toEqual({ foundingCode: 'abcd-efgh' }));
  expect(screen.queryByLabelText('Password')).toBeNull();
});

it('without passwords, the form is there only for those who ask for it', async () => {
  const { user } = start('/login', { only: true });
  await user.click(await screen.findByRole('button', { name: 'Sign in with a password instead' }));
  expect(screen.getByLabelText('Password')).toBeTruthy();
});

it('a ticket in the address signs in, with the second step where there is one, and leads to where one wanted to go', async () => {
  // The page asks at once.
  const api = fakeApi();
  const more = new Refusal(401, { code: 'TWO_FACTOR_REQUIRED', message: 'Enter the code of your authenticator app.' });
  const session = { user: makeUser(), token: 'fresh', returnTo: '/dashboard/history?search=a' };
  api.on('POST /auth/oidc/exchange', ({ body }) => (Object(body).code === '123456' ? session : more));
  const { user, path } = start('/login#oidc=the-ticket', {}, api);
  await user.type(await screen.findByLabelText('Code'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  expect(await screen.findByText('The dashboard')).toBeTruthy();
  expect(path()).toBe('/dashboard/history?search=a');
  expect(localStorage.getItem(TOKEN_KEY)).toBe('fresh');
  expect(api.asked('POST /auth/oidc/exchange').map(({ body }) => Object(body).ticket)).toEqual([
    'the-ticket',
    'the-ticket',
  ]);
});

it('a refused ticket is said in a sentence, on the page to log in', async () => {
  const api = fakeApi();
  const message = 'Acme ID did not allow the sign-in.';
  api.on('POST /auth/oidc/exchange', new Refusal(409, { code: 'OIDC_REFUSED', message }));
  start('/login#oidc=the-ticket', {}, api);
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy();
});
