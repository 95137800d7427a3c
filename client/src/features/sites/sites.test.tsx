import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { makeSite } from '../../../test/make.ts';
import { OAK, startSites } from './testing.ts';

const card = async (name: string) =>
  within((await screen.findByRole('heading', { name })).closest('li') ?? document.body);

describe('the list of sites', () => {
  it('shows each site with its counts and links', async () => {
    startSites('/dashboard/sites');
    expect(await screen.findByRole('heading', { name: 'Website Management' })).toBeTruthy();
    const oak = await card('Oak and Line');
    expect(oak.getByText('Total Chats').nextSibling?.textContent).toBe('12');
    expect(oak.getByText('Active Chats').nextSibling?.textContent).toBe('3');
    expect(oak.getByRole('link', { name: 'View Chats' }).getAttribute('href')).toBe(
      `/dashboard/sites/${OAK._id}/chats`,
    );
    expect(oak.getByRole('link', { name: 'Manage Team' }).getAttribute('href')).toBe(
      `/dashboard/sites/${OAK._id}/team`,
    );
    expect(screen.getByRole('link', { name: 'Add Website' }).getAttribute('href')).toBe('/dashboard/sites/new');
  });

  it('updates the counts when chats start and end', async () => {
    const { api, socket } = startSites('/dashboard/sites');
    const oak = await card('Oak and Line');
    socket.connect();
    await waitFor(() => expect(api.asked('GET /sites')).toHaveLength(2));
    api.on('GET /sites', { sites: [{ ...OAK, stats: { totalChats: 13, activeChats: 4 } }], limit: 3 });
    socket.tell('chat_status_changed', { chatId: OAK._id, status: 'active' });
    expect(await oak.findByText('13')).toBeTruthy();
    expect(oak.getByText('4')).toBeTruthy();
  });

  it('shows how many websites an account can have, and when the limit is reached', async () => {
    const { user } = startSites('/dashboard/sites', { sites: [OAK, makeSite(), makeSite({ isOwner: false })] });
    expect(await screen.findByText('You own 2 of the 3 websites that an account may have.')).toBeTruthy();
    cleanup();
    startSites('/dashboard/sites', { sites: [OAK, makeSite(), makeSite()] });
    expect(await screen.findByText(/^You own 3 websites, which is the most for one account/)).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Add Website' }));
    expect(await screen.findByText(/^You own 3 websites already/)).toBeTruthy();
  });

  it('shows the embed code and copies it', async () => {
    const { user } = startSites('/dashboard/sites');
    const oak = await card('Oak and Line');
    await user.click(oak.getByRole('button', { name: 'Show Embed Code' }));
    const code = `<script src="${location.origin}/widget.js" data-site-id="w_oak" async></script>`;
    expect(oak.getByText((_, node) => node?.tagName === 'CODE' && node.textContent === code)).toBeTruthy();
    await user.click(oak.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(code);
    expect(await oak.findByText('Copied')).toBeTruthy();
    await user.click(oak.getByRole('button', { name: 'Hide Embed Code' }));
    expect(oak.queryByText(code)).toBeNull();
  });

  it('switches the widget at once, and back when the server refuses', async () => {
    const { user, api } = startSites('/dashboard/sites');
    const oak = await card('Oak and Line');
    let refuse: (() => void) | undefined;
    api.on('PATCH /sites/:id', async () => {
      await new Promise<void>((resolve) => {
        refuse = resolve;
      });
      return new Refusal(503, { code: 'UNAVAILABLE', message: 'Try again in a moment.' });
    });
    await user.click(oak.getByRole('button', { name: 'Disable' }));
    expect(oak.getByText('Inactive')).toBeTruthy();
    expect(oak.getByRole('switch').getAttribute('aria-checked')).toBe('false');
    await waitFor(() => expect(refuse).toBeTruthy());
    refuse?.();
    expect(await screen.findByText('The widget could not be switched. Try again in a moment.')).toBeTruthy();
    expect(oak.getByText('Active')).toBeTruthy();

    api.on('PATCH /sites/:id', { site: { ...OAK, widgetEnabled: false } });
    await user.click(oak.getByRole('switch'));
    expect(await oak.findByRole('button', { name: 'Enable' })).toBeTruthy();
    expect(api.asked('PATCH /sites/:id').at(-1)?.body).toEqual({ widgetEnabled: false });
  });

  it('asks before deleting a site', async () => {
    const { user, api } = startSites('/dashboard/sites');
    api.on('DELETE /sites/:id', {});
    await user.click((await card('Oak and Line')).getByRole('button', { name: 'Delete Oak and Line' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Website' }));
    expect(
      dialog.getByText(
        'Are you sure you want to delete Oak and Line? This action cannot be undone and will remove all associated chat data.',
      ),
    ).toBeTruthy();
    expect(api.asked('DELETE /sites/:id')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Delete Website' }));
    expect(await screen.findByText('No websites yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Add Your First Website' })).toBeTruthy();
  });

  it.each([
    ['viewer', false, []],
    ['agent', false, []],
    ['admin', false, ['Disable']],
    ['admin', true, ['Disable', /^Delete/]],
  ] as const)('offers a %s (owner: %s) what the role allows', async (role, isOwner, buttons) => {
    startSites('/dashboard/sites', { sites: [makeSite({ name: 'Tea House', role, isOwner })] });
    const tea = await card('Tea House');
    for (const name of buttons) expect(tea.getByRole('button', { name })).toBeTruthy();
    expect(tea.getAllByRole('button')).toHaveLength(buttons.length + 1);
    expect(tea.queryByRole('switch') !== null).toBe(buttons.length > 0);
  });

  it('shows an error when it cannot be loaded, and retries', async () => {
    const { user, api } = startSites('/dashboard/sites');
    api.on('GET /sites', new Refusal(500, { code: 'INTERNAL', message: 'A bug' }));
    expect(await screen.findByText('Your websites could not be loaded.')).toBeTruthy();
    api.on('GET /sites', { sites: [OAK], limit: 3 });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Oak and Line' })).toBeTruthy();
  });
});
