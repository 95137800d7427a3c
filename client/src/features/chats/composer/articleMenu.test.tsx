import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { openChat } from '../testing.ts';

const link = (title: string) => ({
  _id: title,
  lang: 'en' as const,
  slug: 'x',
  title,
  excerpt: 'Within 30 days.',
  url: `https://help.oak.example/en/${title.toLowerCase()}`,
});

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('offers help articles behind //, by arrow keys and Enter, and inserts title and address', async () => {
  const { user, api, field, socket } = await openChat();
  api.on('GET /sites/:id/articles/search', { articles: [link('Returns'), link('Refunds')] });
  await user.type(field, 'See //');
  expect(screen.getByText('Type words to find a help article.')).toBeTruthy();
  await user.type(field, 'how return');
  await screen.findByRole('listbox', { name: 'Help articles' });
  await waitFor(() => expect(api.asked('GET /sites/:id/articles/search').at(-1)?.query).toEqual({ q: 'how return' }));
  expect(options()).toEqual(['Returns Within 30 days.', 'Refunds Within 30 days.']);
  await user.keyboard('{ArrowDown}');
  const active = screen.getByRole('option', { selected: true });
  expect([active.textContent, field.getAttribute('aria-activedescendant')]).toEqual([options()[1], active.id]);
  await user.keyboard('{Enter}');
  expect(field.value).toBe('See [Refunds](https://help.oak.example/en/refunds) ');
  expect([options(), document.activeElement, socket.sent('send_message')]).toEqual([[], field, []]);
});

it('closes with Escape, opens for no address, and finds nothing without standing in the way', async () => {
  const { user, api, field, socket } = await openChat();
  api.on('GET /sites/:id/articles/search', { articles: [] });
  await user.type(field, 'https://oak.example');
  expect(screen.queryByText('Type words to find a help article.')).toBeNull();
  await user.clear(field);
  await user.type(field, '//');
  await user.keyboard('{Escape}');
  expect(screen.queryByText('Type words to find a help article.')).toBeNull();
  await user.clear(field);
  await user.type(field, '//zzz');
  await screen.findByText('Looking for articles…');
  await waitFor(() => expect(screen.queryByText('Looking for articles…')).toBeNull());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(socket.sent('send_message')).toHaveLength(1));
});

it('says when the search fails, and tries again', async () => {
  const { user, api, field } = await openChat();
  api.on('GET /sites/:id/articles/search', new Refusal(403, { code: 'FORBIDDEN', message: 'No.' }));
  await user.type(field, '//ret');
  await screen.findByText('The articles could not be loaded.');
  api.on('GET /sites/:id/articles/search', { articles: [link('Returns')] });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await user.click(await screen.findByRole('option'));
  expect(field.value).toBe('[Returns](https://help.oak.example/en/returns) ');
});
