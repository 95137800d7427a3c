import { act, screen, waitFor, within } from '@testing-library/react';
import type { Chat, SeenPage } from 'server/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeApi, Refusal } from '../../../../test/api.ts';
import { makeSite } from '../../../../test/make.ts';
import * as files from '../../../lib/download.ts';
import { formatTimeIn } from '../../../lib/format.ts';
import { makeMessage, makeNote, NOTHING_KNOWN, OAK, oakChat, openChat, rowOf } from '../testing.ts';
import { zoneOf } from './Facts.tsx';

beforeEach(() => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});

const mina = { name: 'Mina Park', email: 'mina@example.com', userAgent: '', location: 'Asia/Tokyo · ja' };
const panel = () => within(screen.getByRole('complementary', { name: 'Visitor details' }));

it('shows the local time of the visitor when the location gives a time zone', () => {
  expect(zoneOf('Asia/Tokyo · ja')).toBe('Asia/Tokyo');
  for (const location of [null, '', 'ja', 'Berlin, Germany']) expect(zoneOf(location)).toBeFalsy();
  expect(formatTimeIn('Asia/Tokyo', Date.parse('2026-01-05T20:30:00.000Z'))).toMatch(/^0?5:30(\sAM)?, Tuesday$/);
  expect(formatTimeIn('Asia/Tokyo', Date.parse('2026-01-05T15:05:00.000Z'))).toMatch(/^(12:05\sAM|0?0:05), Tuesday$/);
});

it('shows what is known about the visitor and the chat', async () => {
  const chat = oakChat({ visitorInfo: mina, rating: { score: 4, comment: 'Quick!' }, blocked: true });
  await openChat({ chat, notes: [makeNote(), makeNote()] });
  for (const text of ['mina@example.com', 'Asia/Tokyo · ja', '4 of 5', 'Quick!', 'Blocked', 'Nobody yet']) {
    expect(panel().getByText(text)).toBeTruthy();
  }
  expect(panel().getByText('Local time').nextSibling?.textContent).toMatch(/^\d?\d:\d\d(\s[AP]M)?, \w+day$/);
  expect(await waitFor(() => panel().getByText('Notes').nextSibling?.textContent)).toBe('2');
  expect(panel().getByRole('button', { name: 'Copy email' })).toBeTruthy();
});

it('shows the attributes from the website and whether the identity is verified', async () => {
  const chat = oakChat({ visitorInfo: mina });
  const { socket } = await openChat({ chat });
  expect(panel().queryByRole('region', { name: 'From the website' })).toBeNull();
  const { name, email } = mina;
  const attributes = [
    { name: 'Plan', value: 'Team' },
    { name: 'Seats', value: 3 },
    { name: 'Trial', value: true },
  ];
  const fact = {
    visitorId: chat.visitorId,
    siteId: OAK._id,
    name,
    email,
    ...NOTHING_KNOWN,
    userId: 'u-42',
    attributes,
  };
  act(() => socket.tell('visitor_updated', fact));
  const told = within(await panel().findByRole('region', { name: 'From the website' }));
  const shownAs = (label: string) => told.getByText(label).closest('dt')?.nextSibling?.textContent;
  expect(['ID, not verified', 'Plan', 'Seats', 'Trial'].map(shownAs)).toEqual(['u-42', 'Team', '3', 'Yes']);
  expect(panel().queryByText('Verified')).toBeNull();
  act(() => socket.tell('visitor_updated', { ...fact, verified: true }));
  expect(await panel().findByText('Verified')).toBeTruthy();
  expect(shownAs('ID')).toBe('u-42');
});

it('shows what the visitor said in a form, apart from what the website told', async () => {
  const chat = oakChat({ visitorInfo: mina });
  const { socket } = await openChat({ chat });
  expect(panel().queryByRole('region', { name: 'From the form' })).toBeNull();
  const { name, email } = mina;
  const details = {
    ...NOTHING_KNOWN,
    phone: '+49 (30) 12-34',
    consent: { text: 'I agree to the storage', at: '2026-01-05T12:00:00.000Z' },
    attributes: [
      { name: 'Topic', value: 'Returns', asked: true as const },
      { name: 'Plan', value: 'Team' },
    ],
  };
  act(() => socket.tell('visitor_updated', { visitorId: chat.visitorId, siteId: OAK._id, name, email, ...details }));
  const said = within(await panel().findByRole('region', { name: 'From the form' }));
  expect(panel().getByRole('link', { name: '+49 (30) 12-34' }).getAttribute('href')).toBe('tel:+49301234');
  expect(said.getByText('Topic').closest('dt')?.nextSibling?.textContent).toBe('Returns');
  expect(said.getByText(/^I agree/)).toBeTruthy();
  expect(said.queryByText('Plan')).toBeNull();
});

it('shows a few of the pages the visitor has seen before, more on request, and updates live', async () => {
  const chat = oakChat({ visitorInfo: mina });
  const { socket, user } = await openChat({ chat });
  const list = () => within(panel().getByRole('list', { name: 'Pages seen before' }));
  const shown = () =>
    list()
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
  const pages = ['tables', 'chairs', 'lamps', 'beds', 'rugs'].map((path, age) => ({
    url: `https://oak.example/${path}?from=mail`,
    title: path === 'lamps' ? '' : `All ${path}`,
    at: new Date(Date.now() - (age * 10 + 5) * 60_000).toISOString(),
  }));
  const tell = (seen: SeenPage[]) =>
    act(() => {
      const of = { visitorId: chat.visitorId, siteId: OAK._id, name: mina.name, email: mina.email };
      socket.tell('visitor_updated', { ...of, ...NOTHING_KNOWN, page: seen[0] ?? null, pages: seen });
    });
  tell(pages.slice(-1));
  expect(await panel().findByRole('link', { name: /All rugs/ })).toBeTruthy();
  expect(panel().queryByText('Pages seen before')).toBeNull();
  tell(pages.slice(1));
  await waitFor(() => expect(shown()).toEqual(['/lamps?from=mail', 'All beds', 'All rugs']));
  expect(panel().queryByRole('button', { name: 'Show all' })).toBeNull();
  tell(pages);
  await waitFor(() => expect(shown()).toEqual(['All chairs', '/lamps?from=mail', 'All beds']));
  const times = list()
    .getAllByRole('listitem')
    .map((item) => item.querySelector('time')?.dateTime);
  expect(times).toEqual(pages.slice(1, 4).map(({ at }) => at));
  const link = list().getByRole('link', { name: 'All chairs' });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([pages[1]?.url, '_blank']);
  expect(link.getAttribute('rel')).toContain('noopener');
  await user.click(panel().getByRole('button', { name: 'Show all' }));
  expect(shown()).toEqual(['All chairs', '/lamps?from=mail', 'All beds', 'All rugs']);
  await user.click(panel().getByRole('button', { name: 'Show fewer' }));
  expect(shown()).toHaveLength(3);
});

describe('tags', () => {
  const asked = (api: FakeApi) => api.asked('POST /chats/bulk').map(({ body }) => body);

  it('are changed one by one, so that what a colleague adds meanwhile stays', async () => {
    const chat = oakChat({ visitorInfo: mina });
    const { api, user, socket } = await openChat({ chat });
    const answers: ((tags: string[]) => void)[] = [];
    api.on(
      'POST /chats/bulk',
      () =>
        new Promise((answer) =>
          answers.push((tags) => {
            const now = { ...chat, tags, rev: 4 + answers.length };
            answer({ results: [{ chatId: chat._id, outcome: 'done', chat: now }] });
          }),
        ),
    );
    const field = panel().getByRole('textbox', { name: 'Add a tag' });
    await user.type(field, 'first{Enter}');
    act(() => socket.tell('chat_updated', { chat: { ...chat, rev: 3, tags: ['vip'] } }));
    await user.type(field, 'second{Enter}');
    const adding = (tag: string) => ({ action: 'tag', tag, chatIds: [chat._id] });
    expect(asked(api)).toEqual([adding('first')]);
    act(() => answers[0]?.(['vip', 'first']));
    await waitFor(() => expect(asked(api)).toEqual([adding('first'), adding('second')]));
    act(() => answers[1]?.(['vip', 'first', 'second']));
    for (const tag of ['vip', 'first', 'second'])
      expect(await panel().findByRole('button', { name: `Remove the tag ${tag}` })).toBeTruthy();
  });

  it('are added by typing or from suggestions and removed, each at once; a refusal takes it back', async () => {
    const chat = oakChat({ visitorInfo: mina, tags: ['refund'] });
    const other = oakChat({ visitorInfo: { ...mina, name: 'Other' }, tags: ['shipping', 'refund'] });
    const { api, user } = await openChat({ chat, chats: [chat, other] });
    let now = chat;
    api.on('POST /chats/bulk', ({ body }) => {
      const { action, tag } = body as { action: string; tag: string };
      const others = now.tags.filter((each) => each !== tag);
      now = { ...now, rev: (now.rev ?? 0) + 1, tags: action === 'tag' ? [...others, tag] : others };
      return { results: [{ chatId: chat._id, outcome: 'done', chat: now }] };
    });
    const field = panel().getByRole('textbox', { name: 'Add a tag' });
    await user.type(field, '  VIP  guest {Enter}');
    expect(await panel().findByText('vip guest')).toBeTruthy();
    const suggested = within(panel().getByRole('list', { name: 'Suggested tags' }));
    expect(suggested.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['shipping']);
    await user.click(suggested.getByRole('button', { name: 'shipping' }));
    await user.click(panel().getByRole('button', { name: 'Remove the tag refund' }));
    await waitFor(() => expect(now.tags).toEqual(['vip guest', 'shipping']));
    expect(panel().queryByRole('button', { name: 'Remove the tag refund' })).toBeNull();

    const full = 'This chat already has 20 tags.';
    api.on('POST /chats/bulk', {
      results: [{ chatId: chat._id, outcome: 'refused', code: 'TOO_MANY_TAGS', message: full }],
    });
    await user.type(field, 'late{Enter}');
    expect(await screen.findByText(full)).toBeTruthy();
    expect(panel().queryByRole('button', { name: 'Remove the tag late' })).toBeNull();
  });

  it('are read-only for viewers', async () => {
    const sites = [makeSite({ ...OAK, role: 'viewer', isOwner: false })];
    await openChat({ chat: oakChat({ tags: ['refund'] }), sites });
    expect(panel().getByText('refund')).toBeTruthy();
    expect(panel().queryByRole('textbox', { name: 'Add a tag' })).toBeNull();
    for (const name of ['Block visitor', 'Erase visitor']) expect(panel().queryByRole('button', { name })).toBeNull();
  });
});

it('links to the other chats of the visitor', async () => {
  const chat = oakChat({ visitorInfo: mina });
  const before = oakChat({
    visitorInfo: { ...mina, name: 'Mina before' },
    visitorId: chat.visitorId,
    lastMessage: 'Where is my chair?',
    status: 'closed',
  });
  const { user, path } = await openChat({ chat, chats: [chat, before], path: `/dashboard/inbox?chat=${chat._id}` });
  const others = within(panel().getByRole('region', { name: 'Other chats' }));
  await user.click(await others.findByRole('link', { name: /Where is my chair/ }));
  expect(path()).toBe(`/dashboard/inbox?chat=${before._id}`);
});

describe('a visitor', () => {
  it('can be blocked and unblocked, and is marked in the list at once', async () => {
    const { api, user } = await openChat();
    api.on('POST /visitors/:id/block', { blocked: true });
    api.on('DELETE /visitors/:id/block', { blocked: false });
    await user.click(panel().getByRole('button', { name: 'Block visitor' }));
    expect(within(await rowOf(/Mina Park/)).getByText('Blocked')).toBeTruthy();
    await user.click(panel().getByRole('button', { name: 'Unblock visitor' }));
    await waitFor(async () => expect(within(await rowOf(/Mina Park/)).queryByText('Blocked')).toBeNull());
    expect(api.asked('DELETE /visitors/:id/block')).toHaveLength(1);
  });

  it('can be exported as a file', async () => {
    const download = vi.spyOn(files, 'download').mockResolvedValue();
    const { user, chat } = await openChat();
    await user.click(panel().getByRole('button', { name: 'Save a copy of all data' }));
    expect(download.mock.calls[0]?.slice(0, 2)).toEqual([
      `/visitors/${chat.visitorId}/export`,
      `visitor-${chat.visitorId}.json`,
    ]);
  });

  it('is erased with all chats after a confirmation', async () => {
    const chat = oakChat();
    const again = oakChat({ visitorId: chat.visitorId });
    const { api, user, path } = await openChat({ chat, chats: [chat, again] });
    api.on('DELETE /visitors/:id', {});
    await user.click(panel().getByRole('button', { name: 'Erase visitor' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Erase visitor' }));
    await user.click(dialog.getByRole('button', { name: 'Erase visitor' }));
    await waitFor(() => expect(path()).toBe('/dashboard/inbox'));
    expect(await screen.findByText('No chats found')).toBeTruthy();
    expect(api.asked('DELETE /visitors/:id')[0]?.params).toEqual({ id: chat.visitorId });
  });
});

describe('starting a chat', () => {
  const over = (parts: Partial<Chat> = {}) => oakChat({ visitorInfo: mina, status: 'closed', ...parts });

  it('works while the visitor is online, keeps the text when it fails, and opens the new chat', async () => {
    const chat = over();
    const begun = oakChat({ visitorInfo: mina, visitorId: chat.visitorId, status: 'active' });
    const { api, user, path } = await openChat({
      chat,
      chats: [chat, begun],
      path: `/dashboard/inbox?chat=${chat._id}`,
    });
    api.on('POST /visitors/:id/chats', new Refusal(409, { code: 'VISITOR_OFFLINE', message: 'The visitor has left.' }));
    await user.click(await panel().findByRole('button', { name: 'Start a chat' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Start a chat' }));
    await user.type(dialog.getByRole('textbox', { name: 'Message' }), 'May I help?');
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    expect(await dialog.findByText('The visitor has left.')).toBeTruthy();
    expect(dialog.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'May I help?');
    const message = makeMessage({ seq: 1, chatId: begun._id });
    api.on('POST /visitors/:id/chats', { chat: begun, message });
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(path()).toBe(`/dashboard/inbox?chat=${begun._id}`));
    const bodies = api.asked('POST /visitors/:id/chats').map(({ body }) => body);
    expect(bodies[0]).toMatchObject({ content: 'May I help?' });
    expect(bodies[1]).toEqual(bodies[0]);
  });

  it.each([
    ['while a chat is open', oakChat({ visitorInfo: mina })],
    ['with somebody who is blocked', over({ blocked: true })],
  ])('is not offered %s', async (_, chat) => {
    await openChat({ chat });
    await waitFor(() => expect(screen.getByText('Online')).toBeTruthy());
    expect(panel().queryByRole('button', { name: 'Start a chat' })).toBeNull();
  });
});

it('takes the focus when opened, closes on Escape, and returns the focus', async () => {
  const { user } = await openChat({ chat: oakChat({ visitorInfo: mina }) });
  const opener = screen.getByRole('button', { name: 'Show details' });
  await user.click(opener);
  expect(document.activeElement).toBe(screen.getByRole('complementary', { name: 'Visitor details' }));
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show details' }));
});
