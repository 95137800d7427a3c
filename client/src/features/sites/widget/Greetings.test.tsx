import { screen, waitFor, within } from '@testing-library/react';
import type { Greeting, Site } from 'server/contract';
import { expect, it } from 'vitest';
import { ANA, dismiss, OAK, startSites } from '../testing.ts';

const HELLO: Greeting = {
  id: 'aaaa0001',
  text: 'Can I help you?',
  enabled: true,
  page: '/pricing',
  after: 5,
  visits: 'first',
  whileOnline: true,
  oncePerVisitor: true,
};
const BACK: Greeting = { ...HELLO, id: 'bbbb0001', text: 'Welcome back!', page: '', visits: 'returning' };

function siteWith(greetings: Greeting[], role: Site['role'] = 'admin'): Site {
  return { ...OAK, role, isOwner: role === 'admin', owner: ANA._id, settings: { ...OAK.settings, greetings } };
}

async function openGreetings(site: Site) {
  const started = startSites(`/dashboard/sites/${site._id}?tab=customization`, { sites: [site] });
  started.api.on('PATCH /sites/:id', { site });
  await screen.findByRole('heading', { name: 'Greetings' });
  return started;
}

const texts = () =>
  within(screen.getByRole('list', { name: 'Greetings' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const sent = (api: Awaited<ReturnType<typeof openGreetings>>['api']) =>
  (api.asked('PATCH /sites/:id')[0]?.body as Site | undefined)?.settings.greetings;

it('adds a greeting, and saves it only when it is complete', async () => {
  const { user, api } = await openGreetings(siteWith([]));
  expect(screen.getByText('No greetings yet.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add greeting' }));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Enter what the greeting says')).toBeTruthy();
  expect(api.asked('PATCH /sites/:id')).toEqual([]);
  await user.click(screen.getByRole('textbox', { name: 'Text of the greeting' }));
  await user.paste('Hello! Can I help?');
  await user.click(screen.getByRole('textbox', { name: 'Page address contains' }));
  await user.paste('/pricing');
  const after = screen.getByRole('spinbutton', { name: 'After (seconds on the page)' });
  await user.clear(after);
  await user.paste('30');
  await user.click(screen.getByRole('combobox', { name: 'For' }));
  await user.click(await screen.findByRole('option', { name: 'Returning visitors' }));
  await user.click(screen.getByRole('checkbox', { name: 'Only while somebody is online' }));
  await user.click(screen.getByRole('checkbox', { name: 'Once per visitor' }));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await dismiss(user);
  expect(sent(api)).toEqual([
    {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      text: 'Hello! Can I help?',
      enabled: true,
      page: '/pricing',
      after: 30,
      visits: 'returning',
      whileOnline: true,
      oncePerVisitor: false,
    },
  ]);
});

it('shows when each greeting shows, and how often it was shown and answered', async () => {
  await openGreetings(siteWith([HELLO, BACK]));
  await waitFor(() => expect(texts()[0]).toContain('Shown 1,200 · Answered 90 (8 %)'));
  expect(texts()[0]).toContain('Pages with “/pricing” · after 5 s · first visits · while online · once per visitor');
  expect(texts()[1]).toContain('Every page · after 5 s · returning visitors');
});

it('is sorted by keys, which keep the focus, and says the new place', async () => {
  const { user, api } = await openGreetings(siteWith([HELLO, BACK, { ...BACK, id: 'cccc0001', text: 'Bye' }]));
  screen.getByRole('button', { name: 'Move greeting 3 up' }).focus();
  await user.keyboard('{Enter}');
  expect(screen.getByText('Moved to position 2 of 3')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move greeting 2 up' }));
  await user.keyboard('{Enter}');
  // At the top there is no further up: the focus stays in the row.
  expect(document.activeElement?.closest('li')?.textContent).toContain('Bye');
  await user.click(screen.getByRole('switch', { name: 'Show greeting 2' }));
  await user.click(screen.getByRole('button', { name: 'Remove greeting 3' }));
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await dismiss(user);
  expect(sent(api)).toMatchObject([
    { id: 'cccc0001', enabled: true },
    { id: 'aaaa0001', enabled: false },
  ]);
});

it('stops at the number that a site can have', async () => {
  await openGreetings(siteWith(Array.from({ length: 10 }, (_, i) => ({ ...HELLO, id: `aaaa000${i}` }))));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add greeting' }).disabled).toBe(true);
});

it('lets those who may not edit the settings only read', async () => {
  const { user, api } = await openGreetings(siteWith([HELLO], 'agent'));
  await user.click(screen.getByRole('button', { name: /^Can I help you/ }));
  const text = await screen.findByRole('textbox', { name: 'Text of the greeting' });
  expect(text.closest('fieldset')?.disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Add greeting' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Remove greeting 1' })).toBeNull();
  expect(api.asked('GET /sites/:id/greetings')).toEqual([]);
});
