import { screen, within } from '@testing-library/react';
import type { Holiday, Site } from 'server/contract';
import { expect, it } from 'vitest';
import { dismiss, OAK, startSites } from '../testing.ts';
import { siteText } from './siteFields.ts';

const days = [{ day: 1, from: '09:00', to: '17:00' }];
const withHolidays = (holidays: Holiday[]): Site => ({
  ...OAK,
  settings: { ...OAK.settings, hours: { timeZone: 'Europe/Lisbon', days, holidays } },
});

async function openHolidays(site: Site) {
  const started = startSites(`/dashboard/sites/${site._id}`, { sites: [site] });
  started.api.on('PATCH /sites/:id', { site });
  await started.user.click(await screen.findByText('More'));
  const field = within(screen.getByRole('region', { name: 'Holidays' }));
  const { user } = started;
  return {
    ...started,
    field,
    async add(date: string, name: string) {
      await user.type(field.getByLabelText('Day of the holiday'), date);
      await user.type(field.getByLabelText('Name of the holiday'), `${name}{Enter}`);
    },
    async savedHours() {
      await user.click(screen.getByRole('button', { name: 'Save Changes' }));
      await dismiss(user);
      return (started.api.asked('PATCH /sites/:id').at(0)?.body as Site | undefined)?.settings.hours;
    },
  };
}

const yearAhead = new Date().getUTCFullYear() + 1;
const CHRISTMAS = { date: '2020-12-25', name: 'Christmas', yearly: true };
const OLD = { date: '2021-04-05', name: 'Easter Monday', yearly: false };
const COMING = { date: `${yearAhead}-12-31`, name: 'Stocktaking', yearly: false };

it('adds holidays to a site without office hours, which is then open around the clock on other days', async () => {
  const { user, field, add, savedHours } = await openHolidays(OAK);
  await user.click(field.getByRole('button', { name: 'Add holiday' }));
  expect(field.getByRole('alert').textContent).toBe('Choose the day of the holiday');
  await add(`${yearAhead}-05-01`, ' ');
  expect(field.getByRole('alert').textContent).toBe('Enter a name for the holiday');
  await user.click(field.getByLabelText('Every year'));
  await user.type(field.getByLabelText('Name of the holiday'), 'May Day{Enter}');
  expect(field.getByRole('status').textContent).toMatch(/00:00–24:00 on every day.*only holidays close/);
  await add(`${yearAhead}-05-01`, 'Labour Day');
  expect(field.getByRole('alert').textContent).toBe('There already is a holiday on that day');
  const hours = await savedHours();
  expect(hours?.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(hours?.days).toHaveLength(7);
  expect(hours?.days.every(({ from, to }) => from === '00:00' && to === '24:00')).toBe(true);
  expect(hours?.holidays).toEqual([{ date: `${yearAhead}-05-01`, name: 'May Day', yearly: true }]);
});

it('lists holidays as they come with those that are over folded, and removes them', async () => {
  const { user, field, savedHours } = await openHolidays(withHolidays([COMING, OLD, CHRISTMAS]));
  const names = field.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(names.map((name) => name?.match(/Christmas|Stocktaking|Easter/)?.[0])).toEqual([
    'Christmas',
    'Stocktaking',
    'Easter',
  ]);
  expect(field.getByText('Past holidays (1)')).toBeTruthy();
  expect(field.getByRole('status').textContent).toBe('');
  await user.click(field.getByRole('button', { name: /^Remove Christmas/ }));
  expect(document.activeElement?.textContent).toBe('Holidays');
  expect(await savedHours()).toEqual({ timeZone: 'Europe/Lisbon', days, holidays: [COMING, OLD] });
});

it('tells holidays apart where a colleague changed them meanwhile', () => {
  const text = siteText('settings.hours', { timeZone: 'Europe/Lisbon', days, holidays: [CHRISTMAS] });
  expect(text).toMatch(/^Europe\/Lisbon\nMonday 09:00–17:00\nFri, Dec 25, 2020 · Christmas · Every year$/);
});
