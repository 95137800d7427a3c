import { screen, waitFor } from '@testing-library/react';
import { TOKEN_KEY } from 'server/contract';
import { expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import { GuestsOnly } from '../../app/guards.tsx';
import LoginPage from './LoginPage.tsx';
import RegisterPage from './RegisterPage.tsx';

const ROUTES = [
  {
    element: <GuestsOnly />,
    children: [
      { path: '/login', element: <LoginPage /> },
      { path: '/register', element: <RegisterPage /> },
    ],
  },
  { path: '/', element: <p>Main page</p> },
  { path: '/dashboard', element: <p>The dashboard</p> },
];

function start(path: string) {
  const api = fakeApi();
  return startApp(ROUTES, path, { api });
}

it('logs in, keeps the token, says so and goes to the dashboard', async () => {
  const { api, user } = start('/login');
  const me = makeUser();
  api.on('POST /auth/login', { user: me, token: 'fresh' });
  await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Password'), 'a long secret');
  await user.click(screen.getByRole('button', { name: 'Login' }));

  expect(await screen.findByText('The dashboard')).toBeTruthy();
  expect(await screen.findByText('Login successful!')).toBeTruthy();
  expect(localStorage.getItem(TOKEN_KEY)).toBe('fresh');
  expect(api.asked('POST /auth/login')[0]?.body).toEqual({ email: 'ana@example.com', password: 'a long secret' });
});

it('reads Signing in... while the server thinks', async () => {
  const { api, user } = start('/login');
  let answer: (value: Refusal) => void = () => undefined;
  api.on('POST /auth/login', () => new Promise((done) => (answer = done)));
  await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Password'), 'a long secret{Enter}');

  expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeTruthy();
  answer(new Refusal(500, { code: 'INTERNAL', message: 'Something went wrong.' }));
  expect(await screen.findByRole('button', { name: 'Login' })).toBeTruthy();
});

it('shows a refused login in the red box, tied to the fields, and stays', async () => {
  const { api, user, path } = start('/login');
  api.on('POST /auth/login', new Refusal(401, { code: 'INVALID_CREDENTIALS', message: 'Invalid email or password' }));
  await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
  const password = screen.getByLabelText('Password');
  await user.type(password, 'wrong{Enter}');

  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Invalid email or password'));
  expect(password.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(password.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Invalid email or password',
  );
  expect(document.activeElement).toBe(password);
  expect(path()).toBe('/login');
});

it('falls back to its own words where the server has none', async () => {
  const { api, user } = start('/login');
  api.on('POST /auth/login', new Refusal(502, { code: 'BAD_GATEWAY', message: '' }));
  await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Password'), 'whatever{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Login failed'));
});

async function fillRegister(user: ReturnType<typeof start>['user'], confirm: string) {
  await user.type(await screen.findByLabelText('Full name'), 'Ana Lind');
  await user.type(screen.getByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Password'), 'fjord lily 42');
  await user.type(screen.getByLabelText('Confirm password'), confirm);
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
}

it('registers with the whole form, keeps the token and goes to the dashboard', async () => {
  const { api, user } = start('/register');
  api.on('POST /auth/register', { user: makeUser(), token: 'fresh' });
  await fillRegister(user, 'fjord lily 42');

  expect(await screen.findByText('The dashboard')).toBeTruthy();
  expect(await screen.findByText('Registration successful!')).toBeTruthy();
  expect(api.asked('POST /auth/register')[0]?.body).toEqual({
    name: 'Ana Lind',
    email: 'ana@example.com',
    password: 'fjord lily 42',
    confirmPassword: 'fjord lily 42',
  });
});

it('sends nothing when the passwords do not match', async () => {
  const { api, user } = start('/register');
  await fillRegister(user, 'fjord lily 43');

  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Passwords do not match'));
  expect(document.activeElement).toBe(screen.getByLabelText('Confirm password'));
  expect(api.asked()).toEqual([]);
});

it('names every empty field and goes to the first', async () => {
  const { api, user } = start('/register');
  const form = (await screen.findByLabelText('Full name')).closest('form');
  expect(form?.noValidate).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));

  await waitFor(() => expect(screen.getByRole('alert').querySelectorAll('li')).toHaveLength(3));
  expect(document.activeElement).toBe(screen.getByLabelText('Full name'));
  expect(api.asked()).toEqual([]);
});

it("ties the server's refusal of a field to that field", async () => {
  const { api, user } = start('/register');
  const message = 'An account with this email already exists';
  api.on('POST /auth/register', new Refusal(409, { code: 'EMAIL_TAKEN', message }));
  await fillRegister(user, 'fjord lily 42');

  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(message));
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
});

it('shows and hides a password, and warns of Caps Lock', async () => {
  const { user } = start('/login');
  const password = await screen.findByLabelText('Password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password.getAttribute('type')).toBe('text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(password.getAttribute('type')).toBe('password');

  await user.click(password);
  await user.keyboard('{CapsLock}A');
  expect(await screen.findByText('Caps Lock is on')).toBeTruthy();
});
