import { act, screen, within } from '@testing-library/react';
import type { Installation } from 'server/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { makeChat } from '../../../../test/make.ts';
import { OAK, startSites } from '../testing.ts';

const NEVER: Installation = { seenAt: null, origin: null, page: null, version: null };
const LONG_AGO = '2026-01-05T09:00:00.000Z';
const SECONDS_MS = 3_000;

const seenOn = (origin: string, seenAt = new Date().toISOString()): Installation => ({
  seenAt,
  origin,
  page: `${origin}/cart`,
  version: '0.1.0',
});

async function openEmbed(installation: Installation, site = OAK) {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const started = startSites(`/dashboard/sites/${OAK._id}?tab=embed`, { sites: [site] });
  started.api.on('GET /sites/:id/installation', { installation });
  const check = within(await screen.findByRole('region', { name: 'Check my installation' }));
  return { ...started, check };
}

const laterOn = () => act(() => vi.advanceTimersByTimeAsync(SECONDS_MS));

afterEach(() => void vi.useRealTimers());

it('waits for a widget that was never seen, and shows within seconds where it was seen', async () => {
  const { api, check } = await openEmbed(NEVER);
  expect(await check.findByText(/^Waiting for the widget/)).toBeTruthy();
  api.on('GET /sites/:id/installation', { installation: seenOn('https://www.oakandline.example') });
  await laterOn();
  expect(await check.findByText(/^It works\. The widget was seen on/)).toBeTruthy();
  expect(check.getByText('https://www.oakandline.example/cart')).toBeTruthy();
  expect(check.getByText(/version 0\.1\.0/)).toBeTruthy();
  const asked = api.asked('GET /sites/:id/installation').length;
  await laterOn();
  expect(api.asked('GET /sites/:id/installation')).toHaveLength(asked);
});

it('shows the first visitor who writes meanwhile, with the way to the chat', async () => {
  const { socket, check } = await openEmbed(NEVER);
  await check.findByText(/^Waiting for the widget/);
  const chat = makeChat({ site: { _id: OAK._id, name: OAK.name } });
  act(() => socket.tell('new_chat', { chat: makeChat() }));
  expect(check.queryByRole('link', { name: 'Open the chat' })).toBeNull();
  act(() => socket.tell('new_chat', { chat }));
  expect(check.getByText('Mina Park').parentElement?.textContent).toBe('Mina Park has written to you. Open the chat');
  const link = check.getByRole('link', { name: 'Open the chat' });
  expect(link.getAttribute('href')).toBe(`/dashboard/inbox?chat=${chat._id}`);
});

it('shows when the widget was last seen, and waits for the next time on request', async () => {
  const { user, api, check } = await openEmbed(seenOn('https://oakandline.example', LONG_AGO));
  await user.click(await check.findByRole('button', { name: 'Check again' }));
  expect(await check.findByText(/^Waiting for the widget/)).toBeTruthy();
  await user.click(check.getByRole('button', { name: 'Stop waiting' }));
  expect(check.getByText(/^It works/)).toBeTruthy();
  api.on('GET /sites/:id/installation', { installation: seenOn('https://oakandline.example') });
  await user.click(check.getByRole('button', { name: 'Check again' }));
  expect(await check.findByText('now')).toBeTruthy();
});

it('shows when the widget was seen on another domain', async () => {
  const { check } = await openEmbed(seenOn('https://notoakandline.example', LONG_AGO));
  expect(await check.findByText(/^This website is registered as oakandline\.example/)).toBeTruthy();
  expect(check.queryByText(/^It works/)).toBeNull();
});

it('links to a test page, and does not wait while the widget is switched off', async () => {
  const { api, check } = await openEmbed(NEVER, { ...OAK, widgetEnabled: false });
  expect(await check.findByText(/^The widget is switched off/)).toBeTruthy();
  expect(check.getByRole('link', { name: /^Open a test page/ }).getAttribute('href')).toBe('/test/w_oak');
  const asked = api.asked('GET /sites/:id/installation').length;
  await laterOn();
  expect(api.asked('GET /sites/:id/installation')).toHaveLength(asked);
});

it('gives the address of the chat page and its QR code, and says when the widget is off', async () => {
  await openEmbed(NEVER, { ...OAK, widgetEnabled: false });
  const page = within(await screen.findByRole('region', { name: 'Chat page' }));
  const link = await page.findByRole('link', { name: /^https:/ });
  expect(link.getAttribute('href')).toBe('https://chat.example.com/c/w_oak');
  expect(page.getByRole('link', { name: 'QR code as PNG' }).getAttribute('download')).toBe(
    'chat-oakandline.example.png',
  );
  expect(page.getByRole('button', { name: 'Copy link' })).toBeTruthy();
  expect(page.getByText(/It works as soon as you enable the widget/)).toBeTruthy();
});
