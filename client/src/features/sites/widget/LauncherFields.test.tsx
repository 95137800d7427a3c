import { screen } from '@testing-library/react';
import type { Site } from 'server/contract';
import { expect, it } from 'vitest';
import { ANA, dismiss, OAK, startSites } from '../testing.ts';

const OWN: Site = { ...OAK, owner: ANA._id };

it('saves the look of the launcher and where it is hidden, and says what is wrong', async () => {
  const { user, api } = startSites(`/dashboard/sites/${OWN._id}?tab=customization`, { sites: [OWN] });
  api.on('PATCH /sites/:id', { site: OWN });
  await user.click(await screen.findByRole('combobox', { name: 'Shape' }));
  await user.click(await screen.findByRole('option', { name: 'Round, icon only' }));
  await user.click(screen.getByRole('combobox', { name: 'Icon' }));
  await user.click(await screen.findByRole('option', { name: 'Heart' }));
  await user.type(screen.getByRole('textbox', { name: 'Text of the launcher' }), 'Ask us');
  const side = screen.getByRole('spinbutton', { name: 'Distance from the side (pixels)' });
  await user.clear(side);
  await user.type(side, '201');
  await user.click(screen.getByRole('checkbox', { name: 'Hide it on phones' }));
  await user.type(screen.getByRole('textbox', { name: 'Hide it on pages' }), '/checkout{Enter}{Enter}/legal');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Enter a whole number from 0 to 200')).toBeTruthy();
  expect(api.asked('PATCH /sites/:id')).toEqual([]);
  await user.clear(side);
  await user.type(side, '40');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await dismiss(user);
  const launcher = {
    shape: 'round',
    icon: 'heart',
    text: 'Ask us',
    side: 40,
    hideOnPhones: true,
    hideOn: ['/checkout', '/legal'],
  };
  expect(api.asked('PATCH /sites/:id')[0]?.body).toMatchObject({ settings: { launcher } });
});
