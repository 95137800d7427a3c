import { screen, waitFor, within } from '@testing-library/react';
import type { Site } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { id } from '../../../../test/make.ts';
import { drafts } from '../../../lib/drafts.ts';
import { ANA, dismiss, OAK, startSites } from '../testing.ts';

const BEN = { userId: { _id: id(), name: 'Ben Roy', email: 'ben@example.com' }, role: 'agent' as const };
const OWN: Site = { ...OAK, owner: ANA._id, team: [{ userId: ANA, role: 'admin' }, BEN] };

async function openMore(site: Site = OWN) {
  const started = startSites(`/dashboard/sites/${site._id}`, { sites: [site] });
  await started.user.click(await screen.findByText('More'));
  return started;
}

it('saves the advanced settings', async () => {
  const { user, api } = await openMore();
  api.on('PATCH /sites/:id', { site: OWN });
  await user.type(screen.getByRole('textbox', { name: 'Privacy notice' }), 'https://oak.example/privacy');
  const silent = screen.getByRole('spinbutton', { name: 'Close silent chats after (hours)' });
  await user.clear(silent);
  await user.type(silent, '24');
  const kept = screen.getByRole('spinbutton', { name: 'Delete chats after (days)' });
  await user.clear(kept);
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Enter a whole number from 0 to 3650')).toBeTruthy();
  expect(api.asked('PATCH /sites/:id')).toEqual([]);
  await user.type(kept, '90');
  await user.click(screen.getByRole('checkbox', { name: 'Visitors now' }));
  await user.click(screen.getByRole('checkbox', { name: 'Identity verification' }));
  await user.click(screen.getByRole('checkbox', { name: 'Mask card numbers', checked: true }));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await dismiss(user);
  expect(api.asked('PATCH /sites/:id')[0]?.body).toMatchObject({
    settings: {
      privacyUrl: 'https://oak.example/privacy',
      autoCloseHours: 24,
      retentionDays: 90,
      visitorPages: true,
      identityVerification: true,
      maskCards: false,
    },
  });
});

it('keeps office hours for the week, several a day, and shows errors', async () => {
  const { user, api } = await openMore();
  api.on('PATCH /sites/:id', { site: OWN });
  await user.click(screen.getByRole('checkbox', { name: 'Office hours' }));
  const zone = screen.getByRole('combobox', { name: 'Time zone' });
  await user.clear(zone);
  await user.type(zone, 'Europe/Lisbon');
  await user.click(screen.getByRole('button', { name: 'Remove Friday' }));
  await user.click(screen.getByRole('button', { name: 'Add hours on Monday' }));
  const from = screen.getByLabelText('Monday, from, 2');
  await user.clear(from);
  await user.type(from, '21:00');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText(/^Monday must end after it starts/)).toBeTruthy();
  const to = screen.getByLabelText('Monday, to, 2');
  await user.clear(to);
  await user.type(to, '00:00');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await dismiss(user);
  const body = api.asked('PATCH /sites/:id')[0]?.body as Site;
  expect(body.settings.hours?.timeZone).toBe('Europe/Lisbon');
  expect(body.settings.hours?.days.filter(({ day }) => day === 1 || day === 5)).toEqual([
    { day: 1, from: '09:00', to: '17:00' },
    { day: 1, from: '21:00', to: '24:00' },
  ]);
});

it('shows the identity secret on request, and renews it', async () => {
  const { user, api } = await openMore();
  api.on('GET /sites/:id/identity-secret', { secret: 'first-secret' });
  api.on('POST /sites/:id/identity-secret', { secret: 'second-secret' });
  await user.click(screen.getByRole('button', { name: 'Show identity secret' }));
  const field = await screen.findByRole('textbox', { name: 'Identity secret' });
  expect(field).toHaveProperty('value', 'first-secret');
  await user.click(screen.getByRole('button', { name: 'Make a new one' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'New Identity Secret' }));
  await user.click(dialog.getByRole('button', { name: 'Make a new one' }));
  await waitFor(() => expect(field).toHaveProperty('value', 'second-secret'));
});

it('changes the widget code after a warning', async () => {
  const { user, api } = await openMore();
  api.on('POST /sites/:id/widget-code', { site: { ...OWN, widgetCode: 'w_new' } });
  await user.click(screen.getByRole('button', { name: 'New code' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'New Widget Code' }));
  expect(dialog.getByText(/^The widget disappears from every page of oakandline\.example/)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Change the code' }));
  await user.click(await screen.findByRole('tab', { name: 'Embed Code' }));
  expect(await screen.findByText(/data-site-id="w_new"/)).toBeTruthy();
});

it('transfers the site, and shows why it cannot', async () => {
  const { user, api } = await openMore();
  const full = 'This person already owns 3 websites.';
  api.on('POST /sites/:id/owner', new Refusal(409, { code: 'SITE_LIMIT_REACHED', message: full }));
  await user.click(screen.getByRole('button', { name: 'Hand over' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand Over Website' }));
  await user.click(dialog.getByRole('button', { name: 'Hand Over' }));
  expect(await dialog.findByText(full)).toBeTruthy();
  api.on('POST /sites/:id/owner', {});
  await user.click(dialog.getByRole('button', { name: 'Hand Over' }));
  expect(await screen.findByText('Oak and Line now belongs to Ben Roy')).toBeTruthy();
  expect(api.asked('POST /sites/:id/owner')[1]?.body).toEqual({ userId: BEN.userId._id });
});

it('deletes the site without asking about unsaved input', async () => {
  const { user, api, path } = await openMore();
  api.on('DELETE /sites/:id', {});
  await user.type(screen.getByRole('textbox', { name: 'Site name' }), ' & Co');
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Website' }));
  await user.click(dialog.getByRole('button', { name: 'Delete Website' }));
  await waitFor(() => expect(path()).toBe('/dashboard/sites'));
  expect(drafts.keys('')).toEqual([]);
});

it('only lets a viewer leave the team', async () => {
  const { user, api, path } = await openMore({ ...OWN, role: 'viewer', isOwner: false });
  api.on('DELETE /team/members/me', {});
  for (const name of ['New code', 'Hand over', 'Delete', 'Show identity secret', 'Edit canned replies'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Leave Team' }));
  await user.click(dialog.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(path()).toBe('/dashboard/sites'));
  expect(api.asked('DELETE /team/members/me')[0]?.body).toEqual({ siteId: OWN._id });
});
