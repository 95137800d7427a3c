import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { makeSite } from '../../../../test/make.ts';
import { ANA, OAK, oakChat, rowOf, startInbox } from '../../chats/testing.ts';

const BEN = { _id: 'b'.repeat(24), name: 'Ben Okafor' };
const member = { ...BEN, email: 'ben@example.com', role: 'agent' as const, isOwner: false, online: true, sites: [] };

async function startFiltered(world: Parameters<typeof startInbox>[0] = {}) {
  const started = await startInbox(world);
  started.api.on('GET /team/members', { members: [member] });
  started.api.on('GET /inbox/tags', { tags: ['refund', 'vip'] });
  return started;
}

describe('the filters', () => {
  it('narrow the list by website, agent, tag and unread, stay in the address, and are removed one by one', async () => {
    const { user, path, api } = await startFiltered({ sites: [OAK, makeSite({ name: 'Second' })], chats: [oakChat()] });
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Filter chats' }));
    const choose = async (label: string, option: string) => {
      await user.click(sheet.getByRole('combobox', { name: label }));
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose('Website', 'Second');
    await choose('Website', 'All websites');
    await choose('Agent', 'Ben Okafor');
    await choose('Tag', 'refund');
    await user.click(sheet.getByRole('switch', { name: 'Only unread' }));
    await user.click(sheet.getByRole('button', { name: 'Done' }));
    expect(path()).toBe(`/dashboard/inbox?agent=${BEN._id}&tag=refund&unread=yes`);
    await waitFor(() =>
      expect(api.asked('GET /chats').at(-1)?.query).toMatchObject({
        status: 'all',
        claimedBy: BEN._id,
        tag: 'refund',
        unread: 'yes',
      }),
    );
    expect(screen.getByRole('button', { name: 'Filters, 3 chosen' })).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Remove the filter Ben Okafor' }));
    await user.click(screen.getByRole('button', { name: 'Remove the filter Unread' }));
    expect(path()).toBe('/dashboard/inbox?tag=refund');
    await user.click(screen.getByRole('button', { name: 'Remove the filter #refund' }));
    expect(screen.queryByRole('list', { name: 'Filters' })).toBeNull();
  });

  it('come from the address, also from an old one', async () => {
    const { api } = await startFiltered({ path: '/dashboard/inbox?mine=yes&tag=vip&status=waiting', connected: false });
    expect(screen.getByRole('switch', { name: 'Mine' }).getAttribute('aria-checked')).toBe('true');
    await waitFor(() =>
      expect(api.asked('GET /chats').at(-1)?.query).toEqual({ status: 'waiting', claimedBy: ANA._id, tag: 'vip' }),
    );
  });

  it.each([
    ['agent=none', { claimedBy: BEN }, {}],
    ['tag=vip', {}, { tags: ['vip'] }],
    ['unread=yes', {}, { unread: 2 }],
    [`agent=${BEN._id}`, {}, { claimedBy: BEN }],
  ])('%s: a chat that leaves disappears, one that enters appears', async (query, outside, inside) => {
    const matching = { ...outside, ...(query === 'agent=none' ? { claimedBy: null } : inside) };
    const chat = oakChat(outside);
    const { socket } = await startInbox({ chats: [], path: `/dashboard/inbox?${query}` });
    await screen.findByText('No chats found');
    act(() => socket.tell('chat_updated', { chat: { ...chat, ...matching, rev: 2 } }));
    await rowOf(/Mina Park/);
    act(() => socket.tell('chat_updated', { chat: { ...chat, rev: 3 } }));
    await screen.findByText('No chats found');
  });
});

describe('the counts', () => {
  it('stand on the tabs, follow the filters, and are read again when a chat changes them', async () => {
    const { api, socket, user } = await startInbox({ chats: [], connected: false });
    api.on('GET /inbox/counts', ({ query }) => ({
      counts: { waiting: query.tag ? 1 : 100, active: 7, snoozed: 0, assistant: 0, unread: 0 },
    }));
    act(() => socket.connect());
    expect(await screen.findByRole('button', { name: 'waiting99+' })).toBeTruthy();
    api.on('GET /inbox/counts', { counts: { waiting: 3, active: 8, snoozed: 0, assistant: 0, unread: 0 } });
    const chat = oakChat();
    act(() => socket.tell('chat_updated', { chat }));
    expect(await screen.findByRole('button', { name: 'waiting3' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^closed/ }));
    expect(screen.getByRole('button', { name: 'active8' })).toBeTruthy();
  });
});

describe('saved views', () => {
  const view = { _id: 'a'.repeat(24), name: 'Refunds', tag: 'refund', claimedBy: 'none' };

  it('are chosen in the title, and saved from the filters', async () => {
    const { api, user, path } = await startFiltered({ chats: [], connected: false });
    api.on('GET /inbox/views', { views: [view] });
    await screen.findByText('No chats found');
    api.on('POST /inbox/views', ({ body }) => ({
      views: [view, { _id: 'c'.repeat(24), ...(body as { name: string }) }],
    }));
    await user.keyboard('f');
    await user.click(await screen.findByRole('switch', { name: 'Only unread' }));
    await user.click(screen.getByRole('button', { name: 'Save view' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this view' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'To read');
    await user.click(dialog.getByRole('button', { name: 'Save view' }));
    expect(await screen.findByRole('button', { name: 'View: To read' })).toBeTruthy();
    expect(api.asked('POST /inbox/views')[0]?.body).toEqual({ name: 'To read', unread: 'yes' });
    await user.click(screen.getByRole('button', { name: 'View: To read' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Refunds' }));
    expect(path()).toBe('/dashboard/inbox?agent=none&tag=refund');
    expect(await screen.findByRole('button', { name: 'View: Refunds' })).toBeTruthy();
  });

  it('are renamed, sorted and deleted, and follow other tabs', async () => {
    const other = { _id: 'c'.repeat(24), name: 'Mine', claimedBy: 'me' };
    const { api, user, socket } = await startFiltered({ chats: [], connected: false });
    api.on('GET /inbox/views', { views: [view, other] });
    act(() => socket.connect());
    await waitFor(() => expect(api.asked('GET /inbox/views').length).toBeGreaterThan(0));
    await user.click(await screen.findByRole('button', { name: 'View: Chat Inbox' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Manage views' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Manage views' }));
    api.on('PUT /inbox/views', { views: [other, view] });
    await user.click(dialog.getByRole('button', { name: 'Move Refunds down' }));
    expect(api.asked('PUT /inbox/views')[0]?.body).toEqual({ ids: [other._id, view._id] });
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Move Mine up' })).toHaveProperty('disabled', true));
    api.on('PUT /inbox/views/:id', { views: [{ ...other, name: 'My own' }, view] });
    const name = dialog.getByRole('textbox', { name: 'Name of Mine' });
    await user.clear(name);
    await user.type(name, 'My own{Enter}');
    expect(await dialog.findByRole('textbox', { name: 'Name of My own' })).toBeTruthy();
    expect(api.asked('PUT /inbox/views/:id')[0]).toMatchObject({ body: { name: 'My own', claimedBy: 'me' } });
    api.on('DELETE /inbox/views/:id', { views: [view] });
    await user.click(dialog.getByRole('button', { name: 'Delete My own' }));
    await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(1));
    api.on('GET /inbox/views', { views: [] });
    act(() => socket.tell('views_changed'));
    expect(await dialog.findByText('No saved views are left.')).toBeTruthy();
  });
});
