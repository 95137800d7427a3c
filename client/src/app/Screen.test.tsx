import { screen, waitFor } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../../test/api.ts';
import { startApp } from '../../test/app.tsx';
import { makeSite, makeUser } from '../../test/make.ts';
import { Screen, screenFile } from './Screen.tsx';
import { Shell } from './shell/Shell.tsx';

/** The server of the page's files: what it does with the next question. */
let serve: () => Promise<void>;

function start() {
  const file = screenFile(async () => {
    await serve();
    return <p>The team</p>;
  });
  const routes = [
    {
      element: <Shell />,
      children: [
        { path: '/dashboard', element: <Link to="/dashboard/team">Onward</Link> },
        { path: '/dashboard/team', element: <Screen file={file} waiting={<p>Loading the screen</p>} /> },
      ],
    },
  ];
  const api = fakeApi();
  api.on('GET /sites', { sites: [makeSite()], limit: 3 });
  api.on('GET /chats', { chats: [], nextCursor: null });
  return startApp(routes, '/dashboard', { api, signedInAs: makeUser() });
}

const teamLink = () => screen.getAllByRole('link', { name: 'Team' })[0] as HTMLElement;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

it('shows a loading state at once after a click, even on a slow network', async () => {
  let arrive = () => {};
  serve = () => new Promise((done) => (arrive = done));
  const { user, path } = start();
  await screen.findByText('Onward');
  await user.click(teamLink());
  expect(path()).toBe('/dashboard/team');
  expect(teamLink().getAttribute('aria-current')).toBe('page');
  expect(screen.getByText('Loading the screen')).toBeTruthy();
  arrive();
  expect(await screen.findByText('The team')).toBeTruthy();
});

it('keeps the frame when the code of a screen cannot be fetched, and shows the screen once it can', async () => {
  serve = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  const { user } = start();
  await screen.findByText('Onward');
  await user.click(teamLink());
  expect(await screen.findByText('This part of Parley could not be loaded.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Log out' })).toBeTruthy();
  serve = () => Promise.resolve();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('The team')).toBeTruthy();
});

it('retries by itself when the code of a screen could not be loaded', async () => {
  serve = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  const { user } = start();
  await screen.findByText('Onward');
  await user.click(teamLink());
  await screen.findByText('This part of Parley could not be loaded.');
  serve = () => Promise.resolve();
  await waitFor(() => expect(screen.getByText('The team')).toBeTruthy());
});
