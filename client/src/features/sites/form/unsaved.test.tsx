import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import type { Greeting, Site, SitePatch } from 'server/contract';
import { afterEach, expect, it } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { drafts } from '../../../lib/drafts.ts';
import { chooseLanguage } from '../../../lib/languages.ts';
import { ANA, dismiss, OAK, patched, startSites } from '../testing.ts';

const KEY = `${ANA._id}:site:${OAK._id}`;
const HELLO: Greeting = {
  id: 'aaaa0001',
  text: 'Hello',
  enabled: true,
  page: '',
  after: 5,
  visits: 'all',
  whileOnline: false,
  oncePerVisitor: true,
};

afterEach(() => chooseLanguage('en'));

/** Opens the settings of a site whose server has these changes already. */
async function open(changes: SitePatch = {}, tab = '') {
  const server = { site: patched(OAK, changes) as Site, refusal: undefined as Refusal | undefined };
  const start = () => {
    const started = startSites(`/dashboard/sites/${OAK._id}${tab}`);
    started.api.on('GET /sites/:id', () => ({ site: server.site }));
    started.api.on('PATCH /sites/:id', ({ body }) => {
      const after = server.refusal ?? patched(server.site, body as SitePatch);
      if (after instanceof Refusal) return after;
      server.site = after;
      return { site: after };
    });
    return started;
  };
  let page = start();
  const { user } = page;
  await screen.findByRole('button', { name: /Save Changes/ });
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
  const save = (name = 'Save Changes') => user.click(screen.getByRole('button', { name }));
  return {
    server,
    user,
    field,
    save,
    /** A colleague saves, and this page may hear of it. */
    colleague(patch: SitePatch, { isHeard = true } = {}) {
      server.site = patched(server.site, patch) as Site;
      if (isHeard) act(() => page.socket.tell('site_updated', { siteId: OAK._id }));
    },
    async reload() {
      cleanup();
      page = start();
      await screen.findByRole('button', { name: /Save Changes/ });
    },
    async retype(name: string, text: string) {
      await user.clear(field(name));
      if (text) await user.type(field(name), text);
    },
    /** The note on what somebody else has saved, once it is there. */
    conflict: async () => within(await screen.findByText('Somebody else has changed this meanwhile.').then(alertOf)),
    sent: () => page.api.asked('PATCH /sites/:id').map(({ body }) => body),
    draft: () => drafts.read(KEY),
  };
}

type Page = Awaited<ReturnType<typeof open>>;

function alertOf(element: HTMLElement): HTMLElement {
  const alert = element.closest<HTMLElement>('[role=alert]');
  if (!alert) throw new Error('There is no alert');
  return alert;
}

/** Another tab of this browser has changed the draft. */
function otherTab(text: string): void {
  const key = `parley_draft:${KEY}`;
  if (text === '') localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  act(() => void dispatchEvent(new StorageEvent('storage', { key })));
}

/** What happens after somebody has renamed the site to 'Oak & Co'; what the field shows then, and the server has after saving. */
const EVENTS: [event: string, happens: (page: Page) => unknown, shown: string, saved: string][] = [
  ['nothing', () => undefined, 'Oak & Co', 'Oak & Co'],
  [
    'a colleague saves another field',
    async ({ colleague, field }) => {
      colleague({ domain: 'new.example' });
      await waitFor(() => expect(field('Domain').value).toBe('new.example'));
    },
    'Oak & Co',
    'Oak & Co',
  ],
  [
    'another tab goes on typing',
    () => otherTab(JSON.stringify({ name: { mine: 'Oaks', base: OAK.name } })),
    'Oaks',
    'Oaks',
  ],
  [
    'another tab saves',
    async ({ colleague, field }) => {
      otherTab('');
      colleague({ name: 'Saved there' });
      await waitFor(() => expect(field('Site name').value).toBe('Saved there'));
    },
    'Saved there',
    'Saved there',
  ],
  [
    'the server is busy',
    async ({ server, save, user }) => {
      server.refusal = new Refusal(503, { code: 'UNAVAILABLE', message: 'The server is busy.' });
      await save();
      expect(await dismiss(user)).toContain('Error saving site: The server is busy.');
      server.refusal = undefined;
    },
    'Oak & Co',
    'Oak & Co',
  ],
  ['the page is loaded again', ({ reload }) => reload(), 'Oak & Co', 'Oak & Co'],
  [
    'a draft of another release is there',
    () => otherTab('{"site":{"name":"Sho"},"name":"x","domain":{"mine":[]}}'),
    OAK.name,
    OAK.name,
  ],
  ['the user undoes it by hand', ({ retype }) => retype('Site name', OAK.name), OAK.name, OAK.name],
];

it.each(EVENTS)('a name that is typed when this happens: %s', async (_, happens, shown, saved) => {
  const page = await open();
  await page.retype('Site name', 'Oak & Co');
  await happens(page);
  expect(page.field('Site name').value).toBe(shown);
  const isKept = page.draft().includes('"name":{');
  expect(isKept).toBe(shown !== page.server.site.name);
  await page.save();
  expect(await dismiss(page.user)).toContain('Site updated successfully!');
  expect(page.server.site.name).toBe(saved);
  expect(page.draft()).toBe('');
  expect(page.field('Site name').value).toBe(saved);
});

it('keeps what is typed when the session ends or the language changes, and asks before it is left', async () => {
  const { server, user, field, retype, save, reload, draft } = await open();
  await retype('Site name', 'Oak & Co');
  await act(() => chooseLanguage('de'));
  expect(await screen.findByDisplayValue('Oak & Co')).toBeTruthy();
  await act(() => chooseLanguage('en'));
  server.refusal = new Refusal(401, { code: 'UNAUTHORIZED', message: 'Log in again.' });
  await screen.findByRole('textbox', { name: 'Site name' });
  await save();
  await screen.findByText('Please Log In');
  expect(draft()).toContain('Oak & Co');
  server.refusal = undefined;
  await reload();
  expect(field('Site name').value).toBe('Oak & Co');
  await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('Home screen');
  expect(draft()).toBe('');
});

it('asks when a colleague has changed the same, whether it is known before saving or only then', async () => {
  const { server, user, field, retype, save, colleague, conflict, sent } = await open();
  await retype('Site name', 'Oak & Co');
  colleague({ name: 'Oaks', customization: { color: '#000000' } });
  const known = await conflict();
  expect([known.getByText('Oaks'), field('Site name').value].length).toBe(2);
  expect(field('Site name').value).toBe('Oak & Co');
  await user.click(known.getByRole('button', { name: 'Take theirs: Site name' }));
  expect(field('Site name').value).toBe('Oaks');
  expect(screen.queryByRole('alert')).toBeNull();

  await retype('Site name', 'Mine');
  await retype('Privacy notice', 'https://oak.example/');
  colleague({ name: 'Theirs' }, { isHeard: false });
  await save();
  await conflict();
  expect(server.site).toMatchObject({ name: 'Theirs', settings: { privacyUrl: null } });
  await save('Save mine instead');
  expect(await dismiss(user)).toContain('Site updated successfully!');
  expect(server.site).toMatchObject({ name: 'Mine', settings: { privacyUrl: 'https://oak.example/' } });
  expect(sent()).toHaveLength(2);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('asks also after the page was loaded again, and where the own change was undone meanwhile', async () => {
  const { field, retype, reload, colleague, conflict, draft } = await open();
  await retype('Domain', 'mine.example');
  colleague({ domain: 'theirs.example' }, { isHeard: false });
  await reload();
  expect((await conflict()).getByText('theirs.example')).toBeTruthy();
  expect(field('Domain').value).toBe('mine.example');
  await retype('Domain', OAK.domain);
  expect((await conflict()).getByText('theirs.example')).toBeTruthy();
  await retype('Domain', 'theirs.example');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(draft()).toBe('');
});

it.each([{ isHeard: true }, { isHeard: false }])('keeps what both admins have changed in a list: %o', async (heard) => {
  const { server, user, field, save, colleague } = await open({
    settings: { allowedDomains: ['a.example', 'old.example'], greetings: [HELLO, { ...HELLO, id: 'bbbb0001' }] },
  });
  await user.click(screen.getByText('More'));
  await user.clear(field('Allowed domains'));
  await user.type(field('Allowed domains'), 'a.example{Enter}c.example');
  await user.click(screen.getByRole('tab', { name: 'Customization' }));
  await user.click(screen.getByRole('switch', { name: 'Show greeting 2' }));
  const theirs = [
    { ...HELLO, text: 'Hi' },
    { ...HELLO, id: 'bbbb0001' },
    { ...HELLO, id: 'cccc0001' },
  ];
  colleague({ settings: { allowedDomains: ['a.example', 'old.example', 'b.example'], greetings: theirs } }, heard);
  await save();
  expect(await dismiss(user)).toContain('Site updated successfully!');
  expect(server.site.settings.allowedDomains).toEqual(['a.example', 'b.example', 'c.example']);
  expect(server.site.settings.greetings.map(({ text, enabled }) => [text, enabled])).toEqual([
    ['Hi', true],
    ['Hello', false],
    ['Hello', true],
  ]);
});

it('asks where two admins have changed the same entry, and shows in words what the other one has saved', async () => {
  const { server, user, field, save, colleague, conflict } = await open({ settings: { greetings: [HELLO] } });
  await user.click(screen.getByText('More'));
  await user.click(screen.getByRole('checkbox', { name: 'Office hours' }));
  await user.click(screen.getByRole('tab', { name: 'Customization' }));
  await user.click(screen.getByRole('switch', { name: 'Show greeting 1' }));
  await user.click(screen.getByRole('checkbox', { name: 'Ask for consent' }));
  await user.type(field('What visitors agree to'), 'Agreed');
  colleague({
    settings: {
      greetings: [{ ...HELLO, text: 'Hi' }],
      consent: { text: 'I agree', url: 'https://oak.example/terms' },
      hours: { timeZone: 'Asia/Tokyo', days: [{ day: 1, from: '09:00', to: '12:00' }] },
    },
  });
  const { getByText, getByRole } = await conflict();
  expect(getByText('Hi · Every page · after 5 s · once per visitor')).toBeTruthy();
  expect(getByText(/^Asia\/Tokyo\s+Monday 09:00–12:00$/)).toBeTruthy();
  await user.click(getByRole('button', { name: 'Take theirs: Ask for consent' }));
  expect(field('Link of the consent').value).toBe('https://oak.example/terms');
  await save('Save mine instead');
  expect(await dismiss(user)).toContain('Site updated successfully!');
  const { greetings, consent, hours } = server.site.settings;
  expect([greetings, consent?.text, hours?.days.length]).toEqual([[{ ...HELLO, enabled: false }], 'I agree', 5]);
});
