import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { FOOTER_LINKS } from '../../shared/PublicLayout.tsx';
import { FIRST_PICTURE, SCRIPT, sceneAfter } from './demoScript.ts';
import LandingPage from './LandingPage.tsx';
import StatusPage from './StatusPage.tsx';

const restless = () =>
  vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches: false }));

afterEach(() => vi.useRealTimers());

it('shows the hero, the snippet, the features and the testimonials in this order', () => {
  render(<LandingPage />);
  const headings = screen.getAllByRole('heading').map((heading) => heading.textContent?.trim());
  expect(headings.slice(0, 2)).toEqual(['Talk to the people on your website.', 'One line of code, and it works']);
  const features = ['Real-time chat', 'Team collaboration', 'Multi-site support', 'Free forever', 'Setup in 2 minutes'];
  for (const title of [...features, 'AI-powered responses']) expect(headings).toContain(title);
  for (const claim of ['50,000+', '10M+', '99.9%']) expect(screen.getByText(claim)).toBeTruthy();
  expect(document.querySelectorAll('blockquote')).toHaveLength(3);
  expect(screen.getByText(/^src=/).textContent).toBe(`src="${location.origin}/widget.js"`);
});

it('has working links to every page in the footer', () => {
  render(<LandingPage />);
  const footer = within(screen.getByRole('contentinfo'));
  const paths = footer.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(paths).toEqual(FOOTER_LINKS.flatMap(({ links }) => links.map(({ to }) => to)));
  expect(paths).toHaveLength(12);
});

it('plays the demo to its end, pauses, and plays it again', () => {
  restless();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  render(<LandingPage />);
  expect(screen.getByText('Claim')).toBeTruthy();
  press('Pause');
  act(() => vi.runAllTimers());
  expect(screen.getByText('Claim')).toBeTruthy();
  press('Play');
  for (const _ of SCRIPT) act(() => vi.runOnlyPendingTimers());
  expect(screen.queryByText('Claim')).toBeNull();
  press('Play again');
  expect(screen.getByText('Select a chat to start messaging')).toBeTruthy();
});

it('shows the whole demo at once when reduced motion is preferred', () => {
  render(<LandingPage />);
  expect(screen.getByRole('button', { name: 'Play again' })).toBeTruthy();
});

it('starts with a waiting chat, and shows typed text on the side that types', () => {
  expect(sceneAfter(FIRST_PICTURE)).toMatchObject({ lines: [{ from: 'visitor', read: false }], claimed: false });
  const typing = SCRIPT.findIndex(({ does }) => does === 'agent-types') + 1;
  expect(sceneAfter(typing)).toMatchObject({ typing: 'agent', draft: SCRIPT[typing]?.text });
});

it.each([
  [200, 'Everything works'],
  [503, 'Not ready'],
  [502, 'No answer'],
])('shows the status of the server: %i', async (status, title) => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status }));
  render(<StatusPage />);
  expect(screen.getByRole('heading', { level: 2, name: 'Checking the server…' })).toBeTruthy();
  expect(await screen.findByRole('heading', { level: 2, name: title })).toBeTruthy();
});

it('checks again on click', async () => {
  const ask = vi.fn(async () => {
    throw new TypeError('offline');
  });
  vi.stubGlobal('fetch', ask);
  render(<StatusPage />);
  await screen.findByText('No answer');
  vi.stubGlobal('fetch', async () => new Response('{}'));
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  await waitFor(() => expect(screen.getByText('Everything works')).toBeTruthy());
});
