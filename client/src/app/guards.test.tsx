import { act, screen, waitFor } from '@testing-library/react';
import { Link, Outlet } from 'react-router-dom';
import { TOKEN_KEY } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../test/api.ts';
import { startApp } from '../../test/app.tsx';
import { makeUser } from '../../test/make.ts';
import { call } from '../lib/api.ts';
import { useAuth } from '../lib/auth.tsx';
import { GuestsOnly, RequireAdmin, RequireAuth } from './guards.tsx';

function Door() {
  const { login } = useAuth();
  return (
    <button type="button" onClick={() => login({ email: 'a@b.c', password: 'x' })}>
      Let me in
    </button>
  );
}

function SiteForm() {
  const { isAuthenticated } = useAuth();
  return (
    <>
      <input aria-label="Name" />
      <p>{isAuthenticated ? 'Signed in' : 'Please Log In'}</p>
    </>
  );
}

function Name() {
  return <p>{useAuth().user?.name ?? 'Nobody yet'}</p>;
}

const ROUTES = [
  { element: <GuestsOnly />, children: [{ path: '/login', element: <Door /> }] },
  {
    element: <RequireAuth />,
    children: [
      { path: '/dashboard', element: <p>Home</p> },
      { path: '/dashboard/inbox', element: <Link to="/dashboard">The inbox</Link> },
      { path: '/dashboard/sites/new', element: <SiteForm />, handle: { keepOnSignOut: true } },
      { element: <RequireAdmin />, children: [{ path: '/admin', element: <p>administration panel</p> }] },
    ],
  },
  { path: '/', element: <Outlet /> },
];

const DEAD = new Refusal(401, { code: 'UNAUTHORIZED', message: 'Your session has ended.' });

it('sends a guest to /login, and after login back to the requested screen', async () => {
  const { api, user, path } = startApp(ROUTES, '/dashboard/inbox?status=waiting');
  api.on('POST /auth/login', { user: makeUser(), token: 'fresh' });
  await user.click(await screen.findByText('Let me in'));
  expect(await screen.findByText('The inbox')).toBeTruthy();
  expect(path()).toBe('/dashboard/inbox?status=waiting');
});

it('shows a spinner until the session is known, then the screen', async () => {
  startApp(ROUTES, '/dashboard', { signedInAs: makeUser() });
  expect(screen.getByRole('status').textContent).toBe('Loading');
  expect(screen.queryByText('Home')).toBeNull();
  expect(await screen.findByText('Home')).toBeTruthy();
});

it('redirects a signed-in user away from /login', async () => {
  const { path } = startApp(ROUTES, '/login', { signedInAs: makeUser() });
  expect(await screen.findByText('Home')).toBeTruthy();
  expect(path()).toBe('/dashboard');
});

it('removes an expired token and shows the login', async () => {
  const api = fakeApi();
  localStorage.setItem(TOKEN_KEY, 'dead');
  api.on('GET /auth/profile', DEAD);
  startApp(ROUTES, '/dashboard', { api });
  expect(await screen.findByText('Let me in')).toBeTruthy();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
});

it('keeps the token and says so while the server cannot be reached, and continues when it is back', async () => {
  const api = fakeApi();
  localStorage.setItem(TOKEN_KEY, 'good');
  let up = false;
  api.on('GET /auth/profile', () => {
    if (!up) throw new TypeError('offline');
    return { user: makeUser() };
  });
  startApp(ROUTES, '/dashboard', { api });
  expect(await screen.findByText(/cannot be reached/)).toBeTruthy();
  expect(localStorage.getItem(TOKEN_KEY)).toBe('good');
  up = true;
  expect(await screen.findByText('Home')).toBeTruthy();
});

it('goes to /login when any call answers 401', async () => {
  const { api, path } = startApp(ROUTES, '/dashboard', { signedInAs: makeUser() });
  await screen.findByText('Home');
  api.on('GET /sites', DEAD);
  await call('GET /sites').catch(() => undefined);
  expect(await screen.findByText('Let me in')).toBeTruthy();
  expect(path()).toBe('/login');
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
});

it('keeps an open form when the session ends', async () => {
  const { api, user } = startApp(ROUTES, '/dashboard/sites/new', { signedInAs: makeUser() });
  await user.type(await screen.findByLabelText('Name'), 'Half typed');
  api.on('GET /sites', DEAD);
  await call('GET /sites').catch(() => undefined);
  expect(await screen.findByText('Please Log In')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Half typed');
});

it('asks for a login when such a form is opened without a session', async () => {
  startApp(ROUTES, '/dashboard/sites/new');
  expect(await screen.findByText('Let me in')).toBeTruthy();
});

it('lets only platform admins open /admin', async () => {
  const { path } = startApp(ROUTES, '/admin', { signedInAs: makeUser({ role: 'user' }) });
  expect(await screen.findByText('Home')).toBeTruthy();
  expect(path()).toBe('/dashboard');
});

it('shows /admin to a platform admin', async () => {
  startApp(ROUTES, '/admin', { signedInAs: makeUser({ role: 'parley_admin' }) });
  expect(await screen.findByText('administration panel')).toBeTruthy();
});

it('shows nobody as signed in until the session that another tab started is known', async () => {
  const tokenOf = (sid: string, gen: number) => `x.${btoa(JSON.stringify({ sid, gen }))}.y`;
  const appear = (bearer: string) => {
    localStorage.setItem(TOKEN_KEY, bearer);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY })));
  };
  const { api } = startApp([{ path: '/', element: <Name /> }], '/');
  api.on('GET /auth/profile', { user: makeUser({ name: 'Ana' }) });
  appear(tokenOf('ana', 1));
  expect(await screen.findByText('Ana')).toBeTruthy();
  api.on('GET /auth/profile', () => new Promise<never>(() => undefined));
  appear(tokenOf('ana', 2));
  expect(screen.getByText('Ana')).toBeTruthy();
  appear(tokenOf('ben', 1));
  expect(await screen.findByText('Nobody yet')).toBeTruthy();
});

it('follows a login and a logout in another tab', async () => {
  const { api } = startApp(ROUTES, '/dashboard');
  await screen.findByText('Let me in');
  api.on('GET /auth/profile', { user: makeUser() });
  localStorage.setItem(TOKEN_KEY, 'from elsewhere');
  window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY }));
  expect(await screen.findByText('Home')).toBeTruthy();
  localStorage.removeItem(TOKEN_KEY);
  window.dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY }));
  await waitFor(() => expect(screen.queryByText('Home')).toBeNull());
});
