import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { holidaysIn } from '../../../shared/officeHours/icsHolidays.ts';
import { OAK, startSites } from '../testing.ts';

const next = new Date().getUTCFullYear() + 1;
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
const calendar = (...events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Oak//EN', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
const day = (date: string, name: string, ...more: string[]) =>
  event(`DTSTART;VALUE=DATE:${date}`, `SUMMARY:${name}`, ...more);

it('takes the whole days of a calendar file, each of several, and those of every year', () => {
  const text = calendar(
    day('20301224', 'Christmas\\, at home', 'DTEND;VALUE=DATE:20301227'),
    day('20300501', 'May Day', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1'),
    day('20300601', ' ', 'DURATION:P1D'),
    event('DTSTART:20300703', 'SUMMARY:Carelessly written'),
    event('DTSTART:20300702T090000Z', 'SUMMARY:Meeting'),
    day('20301122', 'Thanksgiving', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'),
    day('20300101', 'Limited', 'RRULE:FREQ=YEARLY;COUNT=3'),
    day('20300102', 'Weekly', 'RRULE:FREQ=WEEKLY'),
    day('20300103', 'Cancelled', 'STATUS:CANCELLED'),
    day('20300101', 'An age', 'DTEND;VALUE=DATE:20350101'),
    event('SUMMARY:Without a day'),
    day('20309999', 'Broken'),
  );
  expect(holidaysIn(text)).toEqual({
    holidays: [
      { date: '2030-12-24', name: 'Christmas, at home', yearly: false },
      { date: '2030-12-25', name: 'Christmas, at home', yearly: false },
      { date: '2030-12-26', name: 'Christmas, at home', yearly: false },
      { date: '2030-05-01', name: 'May Day', yearly: true },
      { date: '2030-06-01', name: 'Holiday', yearly: false },
      { date: '2030-07-03', name: 'Carelessly written', yearly: false },
    ],
    others: 8,
  });
});

it.each([
  ['', /no calendar file/],
  ['name,date\nChristmas,2030-12-25', /no calendar file/],
  ['BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART', /no calendar file/],
  [calendar(...Array(5_001).fill(day('20300101', 'Again'))), /more than 5,000 events/],
])('says what is wrong with a file', (text, reason) => {
  expect(holidaysIn(text)).toEqual({ problem: expect.stringMatching(reason) });
});

it('shows what a file has, and adds what is chosen of it', async () => {
  const { user } = startSites(`/dashboard/sites/${OAK._id}`, { sites: [OAK] });
  await user.click(await screen.findByText('More'));
  const field = within(screen.getByRole('region', { name: 'Holidays' }));
  const input = field.getByLabelText('Calendar file');
  await user.upload(input, new File(['x'.repeat(1024 * 1024 + 1)], 'large.ics', { type: 'text/calendar' }));
  expect((await field.findByRole('alert')).textContent).toMatch(/larger than 1/);
  const text = calendar(
    day(`${next}0501`, 'May Day'),
    day(`${next}0501`, 'Labour Day'),
    day(`${next}0502`, 'Bridge day'),
    day('20200101', 'Long ago'),
  );
  // jsdom has no `text` of files.
  const file = Object.assign(new File([text], 'days.ics', { type: 'text/calendar' }), { text: async () => text });
  await user.upload(input, file);
  const dialog = within(await screen.findByRole('dialog', { name: 'Import Holidays' }));
  expect(dialog.getByText('2 days are left out: they are over, or already holidays.')).toBeTruthy();
  expect(dialog.queryByText('Long ago')).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: 'Bridge day' }));
  await user.click(dialog.getByRole('button', { name: 'Add 1 holiday' }));
  expect(field.getByText('May Day')).toBeTruthy();
  expect(field.queryByText('Bridge day')).toBeNull();
});
