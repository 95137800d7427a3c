import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { id, makeSite } from '../../../test/make.ts';
import { startSites } from '../sites/testing.ts';

const BEN = { _id: id(), name: 'Ben Ito', email: 'ben@example.com' };
const SITE = makeSite({ name: 'Tea House' });
const TEA = { ...SITE, team: [...SITE.team, { userId: BEN, role: 'agent' as const }] };
const PATH = `/dashboard/sites/${TEA._id}?tab=team`;

it('removes a member; admins have no such button', async () => {
  const { user, api } = startSites(PATH, { sites: [TEA] });
  api.on('DELETE /team/members/:id', {});
  const team = within(await screen.findByRole('list', { name: 'Team' }));
  const buttons = team.getAllByRole('button');
  expect(buttons.map((button) => [button.textContent, button.getAttribute('aria-label')])).toEqual([
    ['Remove', 'Remove Ben Ito'],
  ]);
  await user.click(team.getByRole('button', { name: 'Remove Ben Ito' }));
  api.on('GET /sites/:id', { site: SITE });
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(team.queryByText('Ben Ito')).toBeNull());
  expect(api.asked('DELETE /team/members/:id')[0]?.body).toEqual({ siteId: TEA._id });
});

it('adds a member without saving the surrounding form', async () => {
  const { user, api } = startSites(PATH, { sites: [TEA] });
  const invite = { _id: 'a'.repeat(22), email: 'new@example.com', role: 'agent' as const, siteId: TEA._id };
  api.on('POST /team/invites', {
    invite: { ...invite, expiresAt: '2026-06-03T12:00:00.000Z' },
    mailed: false,
  });
  await user.click(await screen.findByRole('button', { name: 'Add Member' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite Team Member' }));
  await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'new@example.com{Enter}');
  expect(await dialog.findByText(/^new@example.com is invited/)).toBeTruthy();
  expect(api.asked('PATCH /sites/:id')).toEqual([]);
});

it('offers an agent neither', async () => {
  startSites(PATH, { sites: [{ ...TEA, role: 'agent', isOwner: false }] });
  const team = within(await screen.findByRole('list', { name: 'Team' }));
  expect(team.getByText('Ben Ito')).toBeTruthy();
  expect(team.queryAllByRole('button')).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Add Member' })).toBeNull();
});
