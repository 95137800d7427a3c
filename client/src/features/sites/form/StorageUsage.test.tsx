import { screen, within } from '@testing-library/react';
import type { SiteUsage } from 'server/contract';
import { expect, it } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { OAK, startSites } from '../testing.ts';

const MB = 2 ** 20;

async function openStorage(usage: SiteUsage) {
  const { api } = startSites(`/dashboard/sites/${OAK._id}`);
  api.on('GET /sites/:id/usage', { usage });
  return within(await screen.findByRole('region', { name: 'Storage' }));
}

it('shows admins the used storage and the limit', async () => {
  const part = await openStorage({
    text: { bytes: 12.5 * MB, max: 1024 * MB },
    files: { bytes: 4301 * MB, max: 5120 * MB },
  });
  expect(await part.findByText('12.5 MB of 1 GB')).toBeTruthy();
  const files = part.getByRole('meter', { name: 'Files' });
  expect(files.getAttribute('aria-valuenow')).toBe('84');
  expect(files.getAttribute('aria-valuetext')).toBe('4.2 GB of 5 GB');
});

it('shows no bar without a limit', async () => {
  const part = await openStorage({ text: { bytes: 12 * MB, max: null }, files: { bytes: 0, max: null } });
  expect(await part.findByText('12 MB')).toBeTruthy();
  expect(part.queryByRole('meter')).toBeNull();
});

it('shows an error when the figures cannot be loaded, and retries', async () => {
  const { api, user } = startSites(`/dashboard/sites/${OAK._id}`);
  api.on('GET /sites/:id/usage', new Refusal(403, { code: 'FORBIDDEN', message: 'No' }));
  const part = within(await screen.findByRole('region', { name: 'Storage' }));
  expect(await part.findByText('The figures could not be loaded.')).toBeTruthy();
  api.on('GET /sites/:id/usage', { usage: { text: { bytes: 0, max: MB }, files: { bytes: 0, max: MB } } });
  await user.click(part.getByRole('button', { name: 'Try again' }));
  expect(await part.findAllByText('0 bytes of 1 MB')).toHaveLength(2);
});

it('is shown to admins only', async () => {
  startSites(`/dashboard/sites/${OAK._id}`, { sites: [{ ...OAK, role: 'agent', isOwner: false }] });
  expect(await screen.findByText('Only admins of this website can change these settings.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Storage' })).toBeNull();
});
