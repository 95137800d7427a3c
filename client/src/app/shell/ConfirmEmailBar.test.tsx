import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { startApp } from '../../../test/app.tsx';
import { makeUser } from '../../../test/make.ts';
import { useAuth } from '../../lib/auth.tsx';
import { ConfirmEmailBar } from './ConfirmEmailBar.tsx';

const ANA = makeUser();

function Screen() {
  const { user } = useAuth();
  return user?.unprovedEmail ? <ConfirmEmailBar email={user.email} /> : <p>Home screen</p>;
}

it('asks for the proof of a new address, and can have its link sent again, until it is proved on any device', async () => {
  const signedInAs = { ...ANA, unprovedEmail: true as const };
  const { api, user, socket } = startApp([{ path: '/dashboard', element: <Screen /> }], '/dashboard', { signedInAs });
  const bar = within(await screen.findByRole('region', { name: 'Confirm your email address' }));
  expect(bar.getByText(new RegExp(`sent to ${ANA.email}`))).toBeTruthy();
  api.on('POST /auth/email/link', { to: ANA.email });
  await user.click(bar.getByRole('button', { name: 'Send the link again' }));
  expect(await screen.findByText(`A new link is on its way to ${ANA.email}`)).toBeTruthy();
  api.on('GET /auth/profile', { user: ANA });
  act(() => socket.tell('account_updated'));
  await waitFor(() => expect(screen.getByText('Home screen')).toBeTruthy());
});
