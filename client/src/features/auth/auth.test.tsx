import { screen, waitFor } from '@testing-library/react';
import { type LoginBody, type RegisterBody, TOKEN_KEY } from 'server/contract';
import { describe, expect, it } from 'vitest';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import { GuestsOnly } from '../../app/guards.tsx';
import ConfirmEmailPage from './ConfirmEmailPage.tsx';
import ForgotPage from './ForgotPage.tsx';
import LoginPage from './LoginPage.tsx';
import RegisterPage from './RegisterPage.tsx';
import ResetPage from './ResetPage.tsx';

const ROUTES = [
  {
    element: <GuestsOnly />,
    children: [
      { path: '/login', element: <LoginPage /> },
      { path: '/register', element: <RegisterPage /> },
      { path: '/forgot', element: <ForgotPage /> },
    ],
  },
  { path: '/reset', element: <ResetPage /> },
  { path: '/confirm', element: <ConfirmEmailPage /> },
  { path: '/', element: <p>Main page</p> },
  { path: '/dashboard', element: <p>The dashboard</p> },
];

/** What the browser is known by from then on. */
const DEVICE_TOKEN = expect.stringMatching(/^[\da-f]{48}$/);

function start(path: string, { needsFoundingCode = false } = {}) {
  const api = fakeApi();
  api.on('GET /auth/registration', { needsFoundingCode });
  return startApp(ROUTES, path, { api });
}

it('stores the token on login, shows a toast and goes to the dashboard', async () => {
  const { api, user } = start('/login');
  const me = makeUser();
  api.on('POST /auth/login', { user: me, token: 'fresh' });
  await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Password'), 'a long secret');
  await user.click(screen.getByRole('button', { name: 'Login' }));

  expect(await screen.findByText('The dashboard')).toBeTruthy();
  expect(await screen.findByText('Login successful!')).toBeTruthy();
  expect(localStorage.getItem(TOKEN_KEY)).toBe('fresh');
  expect(api.asked('POST /auth/login')[0]?.body).toEqual({
    email: 'ana@example.com',
    password: 'a long secret',
    deviceToken: DEVICE_TOKEN,
  });
});

it('shows ‘Signing in...’ while the request runs', async () => {
  const { api, user } = start('/login');
  let answer: (value: Refusal) => void = () => undefined;
  api.on('POST /auth/login', () => new Promise((done) => (answer = done)));
  await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
  await user.type(screen.getByLabelText('Password'), 'a long secret{Enter}');

  expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeTruthy();
  answer(new Refusal(500, { code: 'INTERNAL', message: 'Something went wrong.' }));
  expect(await screen.findByRole('button', { name: 'Login' })).toBeTruthy();
});

it('shows a refused login in the red box, linked to the fields', async () => {
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

it('shows a default message when the server sends none', async () => {
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

it('sends the whole form on sign-up, stores the token and goes to the dashboard', async () => {
  const { api, user } = start('/register');
  api.on('POST /auth/register', { user: makeUser(), token: 'fresh' });
  await fillRegister(user, 'fjord lily 42');

  expect(await screen.findByText('The dashboard')).toBeTruthy();
  expect(await screen.findByText('Registration successful!')).toBeTruthy();
  expect(api.asked('POST /auth/register')[0]?.body).toEqual({
    deviceToken: DEVICE_TOKEN,
    name: 'Ana Lind',
    email: 'ana@example.com',
    password: 'fjord lily 42',
    confirmPassword: 'fjord lily 42',
  });
});

it('asks for the founding code on the first sign-up, prefilled by the printed link', async () => {
  const { api, user } = start('/register#code=k7m2-9qtd-x4rw', { needsFoundingCode: true });
  const message = 'The first account needs the founding code.';
  api.on('POST /auth/register', ({ body }) =>
    (body as RegisterBody).foundingCode === 'right'
      ? { user: makeUser(), token: 'fresh' }
      : new Refusal(403, { code: 'FOUNDING_CODE_REQUIRED', message }),
  );
  const code = await screen.findByLabelText<HTMLInputElement>('Founding code');
  expect(code.value).toBe('k7m2-9qtd-x4rw');
  await fillRegister(user, 'fjord lily 42');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(message));
  expect(document.activeElement).toBe(code);
  await user.clear(code);
  await user.type(code, '{Enter}');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Enter the founding code'));
  await user.type(code, 'right{Enter}');
  expect(await screen.findByText('The dashboard')).toBeTruthy();
});

it('sends no request when the passwords do not match', async () => {
  const { api, user } = start('/register');
  await fillRegister(user, 'fjord lily 43');

  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Passwords do not match'));
  expect(document.activeElement).toBe(screen.getByLabelText('Confirm password'));
  expect(api.asked('POST /auth/register')).toEqual([]);
});

it('shows an error at every empty field and focuses the first', async () => {
  const { api, user } = start('/register');
  const form = (await screen.findByLabelText('Full name')).closest('form');
  expect(form?.noValidate).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));

  await waitFor(() => expect(screen.getByRole('alert').querySelectorAll('li')).toHaveLength(3));
  expect(document.activeElement).toBe(screen.getByLabelText('Full name'));
  expect(api.asked('POST /auth/register')).toEqual([]);
});

it("shows the server's error at its field", async () => {
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

describe('an account with two-factor authentication', () => {
  async function firstStep() {
    const started = start('/login');
    const { api, user } = started;
    api.on('POST /auth/login', ({ body }) => {
      const { code, recoveryCode } = body as LoginBody;
      if (code === undefined && recoveryCode === undefined)
        return new Refusal(401, { code: 'TWO_FACTOR_REQUIRED', message: 'Enter the code.' });
      if (code === '123456' || recoveryCode === 'aaaa-1111') return { user: makeUser(), token: 'fresh' };
      return new Refusal(401, { code: 'INVALID_CODE', message: 'That code is wrong.' });
    });
    await user.type(await screen.findByLabelText('Email'), 'ana@example.com');
    await user.type(screen.getByLabelText('Password'), 'a long secret{Enter}');
    await screen.findByRole('heading', { name: 'One more step' });
    return started;
  }

  it('is asked for the code, without an error message', async () => {
    const { api, user } = await firstStep();
    expect(screen.queryByText('Enter the code.')).toBeNull();
    await user.type(screen.getByLabelText('Code'), '000000{Enter}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('That code is wrong.'));
    await user.clear(screen.getByLabelText('Code'));
    await user.type(screen.getByLabelText('Code'), '123 456{Enter}');
    expect(await screen.findByText('The dashboard')).toBeTruthy();
    expect(api.asked('POST /auth/login').at(-1)?.body).toEqual({
      deviceToken: DEVICE_TOKEN,
      email: 'ana@example.com',
      password: 'a long secret',
      code: '123456',
    });
  });

  it('can sign in with a recovery code', async () => {
    const { user } = await firstStep();
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    await user.type(screen.getByLabelText('Recovery code'), 'aaaa-1111{Enter}');
    expect(await screen.findByText('The dashboard')).toBeTruthy();
  });
});

describe('a forgotten password', () => {
  it('can be requested, with the same answer whether or not the account exists', async () => {
    const { api, user } = start('/login');
    api.on('POST /auth/forgot', { mailed: true });
    await user.click(await screen.findByRole('link', { name: 'Forgot it?' }));
    await user.type(await screen.findByLabelText('Email'), 'ana@example.com{Enter}');
    expect(await screen.findByText(/If this address has an account/)).toBeTruthy();
    expect(api.asked('POST /auth/forgot')[0]?.body).toEqual({ email: 'ana@example.com' });
  });

  it('shows a hint when the server cannot send mail', async () => {
    const { api, user } = start('/forgot');
    api.on('POST /auth/forgot', { mailed: false });
    await user.type(await screen.findByLabelText('Email'), 'ana@example.com{Enter}');
    expect(await screen.findByText(/This server cannot send mail/)).toBeTruthy();
  });

  it('is replaced with the token of the link, then leads to the login', async () => {
    const { api, user, path } = start('/reset#secret-of-the-link');
    api.on('POST /auth/reset', {});
    await user.type(await screen.findByLabelText('New password'), 'a much better one');
    await user.type(screen.getByLabelText('Confirm new password'), 'another');
    await user.click(screen.getByRole('button', { name: 'Set the password' }));
    expect(await screen.findByText('Passwords do not match')).toBeTruthy();
    expect(api.asked('POST /auth/reset')).toEqual([]);
    await user.clear(screen.getByLabelText('Confirm new password'));
    await user.type(screen.getByLabelText('Confirm new password'), 'a much better one{Enter}');
    await waitFor(() => expect(path()).toBe('/login'));
    expect(api.asked('POST /auth/reset')[0]?.body).toEqual({
      deviceToken: DEVICE_TOKEN,
      token: 'secret-of-the-link',
      newPassword: 'a much better one',
    });
  });

  it('shows an error for a used link', async () => {
    const { api, user } = start('/reset#old');
    api.on('POST /auth/reset', new Refusal(404, { code: 'LINK_DEAD', message: 'This link does not work any more.' }));
    await user.type(await screen.findByLabelText('New password'), 'a much better one');
    await user.type(screen.getByLabelText('Confirm new password'), 'a much better one{Enter}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This link does not work any more.'));
  });
});

it('confirms an address with the token of the mailed link, when somebody presses the button', async () => {
  const { api, user } = start('/confirm#secret-of-the-link');
  const button = await screen.findByRole('button', { name: 'Confirm the address' });
  expect(api.asked('POST /auth/email/confirm')).toEqual([]);
  api.on('POST /auth/email/confirm', new Refusal(409, { code: 'EMAIL_LINK_SPENT', message: 'This link has expired.' }));
  await user.click(button);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This link has expired.'));
  api.on('POST /auth/email/confirm', { email: 'ana@example.com' });
  await user.click(button);
  expect((await screen.findByRole('status')).textContent).toBe('ana@example.com is confirmed.');
  expect(api.asked('POST /auth/email/confirm')[1]?.body).toEqual({ token: 'secret-of-the-link' });
});
