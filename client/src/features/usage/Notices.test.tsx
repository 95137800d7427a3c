import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { Notice } from 'server/contract';
import { expect, it } from 'vitest';
import { Notices } from './Notices.tsx';

const AT = '2026-01-05T09:00:00.000Z';

it.each<[Notice, RegExp, string]>([
  [{ about: 'disk', percent: 91, freeBytes: 3 * 2 ** 30 }, /disk is 91 % full.*3 GB left/, '/admin'],
  [
    { about: 'backup', reason: 'The disk is full.', lastAt: AT },
    /last backup has failed.*The disk is full\. The newest.*Jan 5/,
    '/admin',
  ],
  [{ about: 'backup', reason: 'No such folder.', lastAt: null }, /No such folder\. There is no complete one/, '/admin'],
  [
    { about: 'mail', since: AT, reason: 'EAUTH 535' },
    /Mail is not sent.*since Jan 5.*EAUTH 535/,
    '/dashboard/self-check',
  ],
  [{ about: 'push', since: AT, reason: 'x.example answered 503' }, /Push messages.*503/, '/dashboard/self-check'],
  [{ about: 'mailIn', since: AT, reason: 'ETIMEOUT' }, /Answers by mail.*ETIMEOUT/, '/dashboard/self-check'],
  [
    { about: 'certificate', siteName: 'Oak', host: 'chat.example', since: AT, reason: 'CERT_HAS_EXPIRED' },
    /certificate of chat\.example is not valid.*Oak.*since Jan 5.*CERT_HAS_EXPIRED/,
    '/admin',
  ],
  [
    { about: 'webhook', siteId: 'a1', siteName: 'Oak', since: AT },
    /Oak: a webhook was switched off.*Jan 5/,
    '/dashboard/sites/a1?tab=webhooks',
  ],
])('a warning says what is wrong, and leads to where it can be mended: %j', (notice, name, path) => {
  render(
    <MemoryRouter>
      <Notices notices={[notice]} onFollow={() => {}} />
    </MemoryRouter>,
  );
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path);
});
