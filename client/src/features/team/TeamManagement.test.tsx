import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { makeSite } from '../../../test/make.ts';
import { ANA, makeInvite, makeMember, OAK, OWNER, startTeam } from './testing.ts';

const BEN = makeMember();
const DOWN = new Refusal(503, { code: 'UNAVAILABLE', message: 'Try again in a moment.' });
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('li') ?? document.body);

describe('members', () => {
  it('are listed with name, email and role; admins have no remove button, the owner no edit button', async () => {
    const admin = makeMember({ name: 'Cleo Sand', role: 'admin' });
    startTeam({ members: [OWNER, BEN, admin] });
    const ben = await rowOf('Ben Ito');
    for (const text of ['ben@example.com', 'agent']) expect(ben.getByText(text)).toBeTruthy();
    expect(ben.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Edit Ben Ito',
      'Remove Ben Ito',
    ]);
    const cleo = await rowOf('Cleo Sand');
    expect(cleo.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Edit Cleo Sand']);
    const ana = await rowOf('Ana Lind');
    expect(ana.getByText('Owner')).toBeTruthy();
    expect(ana.queryAllByRole('button')).toEqual([]);
  });

  it('get another role with Done', async () => {
    const members = [OWNER, BEN];
    const { user, api } = startTeam({ members });
    api.on('PATCH /team/members/:id', () => {
      members[1] = { ...BEN, role: 'viewer' };
      return { member: { ...BEN, role: 'viewer' } };
    });
    await user.click((await rowOf('Ben Ito')).getByRole('button', { name: 'Edit Ben Ito' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Team Member' }));
    await user.click(dialog.getByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: /Viewer/ }));
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(await (await rowOf('Ben Ito')).findByText('viewer')).toBeTruthy();
    expect(api.asked('PATCH /team/members/:id')[0]).toMatchObject({
      params: { id: BEN._id },
      body: { role: 'viewer', siteId: OAK._id },
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keep their role when the server refuses, and the dialog shows why', async () => {
    const { user, api } = startTeam({ members: [OWNER, BEN] });
    api.on('PATCH /team/members/:id', DOWN);
    await user.click((await rowOf('Ben Ito')).getByRole('button', { name: 'Edit Ben Ito' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Team Member' }));
    await user.click(dialog.getByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: /Admin/ }));
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(await dialog.findByText('Try again in a moment.')).toBeTruthy();
  });

  it.each(['Cancel', 'Dismiss'])('keep their role when the dialog is closed by %s', async (way) => {
    const { user, api } = startTeam({ members: [OWNER, BEN] });
    await user.click((await rowOf('Ben Ito')).getByRole('button', { name: 'Edit Ben Ito' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Team Member' }));
    await user.click(dialog.getByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: /Admin/ }));
    await user.click(dialog.getByRole('button', { name: way }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.asked('PATCH /team/members/:id')).toEqual([]);
  });

  it('are removed after a confirmation', async () => {
    let members = [OWNER, BEN];
    const { user, api } = startTeam({ members });
    api.on('GET /team/members', () => ({ members }));
    api.on('DELETE /team/members/:id', () => {
      members = [OWNER];
      return {};
    });
    await user.click((await rowOf('Ben Ito')).getByRole('button', { name: 'Remove Ben Ito' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove Team Member' }));
    expect(api.asked('DELETE /team/members/:id')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('ben@example.com')).toBeNull());
    expect(api.asked('DELETE /team/members/:id')[0]?.body).toEqual({ siteId: OAK._id });
  });

  it('follow changes made elsewhere', async () => {
    let members = [OWNER];
    const { api, socket } = startTeam({ members });
    await rowOf('Ana Lind');
    members = [OWNER, BEN];
    api.on('GET /team/members', () => ({ members }));
    act(() => socket.tell('team_updated', { siteId: OAK._id }));
    expect(await screen.findByText('Ben Ito')).toBeTruthy();
  });

  it('can leave, but change nothing, unless they are admins', async () => {
    const own = makeMember({ _id: ANA._id, name: ANA.name, role: 'agent' });
    const site = makeSite({ role: 'agent', isOwner: false });
    const { user, api } = startTeam({ sites: [site], members: [own, BEN] });
    api.on('DELETE /team/members/me', {});
    const mine = await rowOf('Ana Lind');
    expect((await rowOf('Ben Ito')).queryAllByRole('button')).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Invite Team Member' })).toBeNull();
    expect(screen.queryByText('Pending Invites')).toBeNull();
    expect(api.asked('GET /team/invites')).toEqual([]);
    await user.click(mine.getByRole('button', { name: 'Leave this team' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(api.asked('DELETE /team/members/me')[0]?.body).toEqual({ siteId: site._id }));
  });

  it('show an error when they cannot be loaded, and retry', async () => {
    const { user, api } = startTeam();
    api.on('GET /team/members', DOWN);
    expect(await screen.findByText('The team could not be loaded.')).toBeTruthy();
    api.on('GET /team/members', { members: [OWNER] });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Ana Lind')).toBeTruthy();
  });

  it.each([
    ['/dashboard/team', [], 'Add Website'],
    [`/dashboard/sites/${'0'.repeat(24)}/team`, [OAK], 'Go to Dashboard'],
  ])('%s without a site shows what to do', async (path, sites, link) => {
    startTeam({ path, sites });
    expect(await screen.findByRole('link', { name: link })).toBeTruthy();
  });

  it('are those of the site in the address', async () => {
    const tea = makeSite({ name: 'Tea House' });
    const { api } = startTeam({ path: `/dashboard/sites/${tea._id}/team`, sites: [OAK, tea] });
    expect(await screen.findByText(/Who answers for Tea House/)).toBeTruthy();
    expect(api.asked('GET /team/members')[0]?.query).toEqual({ siteId: tea._id });
  });
});

describe('invites', () => {
  it('are sent with an address and a role, agent by default', async () => {
    const { user, api } = startTeam();
    api.on('POST /team/invites', { invite: makeInvite(), mailed: true });
    expect(await screen.findByText('No pending invites')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Invite Team Member' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite Team Member' }));
    expect(dialog.getByRole('combobox', { name: 'Role' }).textContent).toBe('Agent');
    await user.click(dialog.getByRole('combobox', { name: 'Role' }));
    const options = await screen.findAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      'Agentcan chat with visitors',
      'Viewerread-only access',
      'Adminfull access',
    ]);
    await user.keyboard('{Escape}');
    const email = dialog.getByRole('textbox', { name: 'Email' });
    expect(email.getAttribute('type')).toBe('email');
    await user.type(email, 'new@example.com');
    api.on('GET /team/invites', { invites: [makeInvite({ role: 'agent' })] });
    await user.click(dialog.getByRole('button', { name: 'Send Invite' }));
    expect(await screen.findByText('Invited as agent')).toBeTruthy();
    expect(screen.getByText('new@example.com gets the link by email')).toBeTruthy();
    expect(api.asked('POST /team/invites')[0]?.body).toEqual({
      email: 'new@example.com',
      role: 'agent',
      siteId: OAK._id,
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('show the link to send where the server sends no mail', async () => {
    const { user, api } = startTeam();
    api.on('POST /team/invites', { invite: makeInvite(), mailed: false });
    await user.click(await screen.findByRole('button', { name: 'Invite Team Member' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite Team Member' }));
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'new@example.com');
    await user.click(dialog.getByRole('button', { name: 'Send Invite' }));
    expect((await dialog.findByRole('status')).textContent).toBe(
      'new@example.com is invited. This server sends no email: copy the link and send it yourself.',
    );
    await user.click(dialog.getByRole('button', { name: 'Copy Link' }));
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/invite/aaaaaaaaaaaaaaaaaaaaaa`);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('that are refused show the error in the dialog, where the address can be corrected', async () => {
    const { user, api } = startTeam();
    const message = 'This person is already on the team.';
    api.on('POST /team/invites', new Refusal(409, { code: 'ALREADY_MEMBER', message }));
    await user.click(await screen.findByRole('button', { name: 'Invite Team Member' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), 'ana@example.com{Enter}');
    expect(await dialog.findByText(message)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('show address and role, and copy their link', async () => {
    const { user } = startTeam({ invites: [makeInvite()] });
    const row = await rowOf('new@example.com');
    expect(row.getByText('Invited as viewer')).toBeTruthy();
    expect(row.getByText(/expires in 6 days/)).toBeTruthy();
    await user.click(row.getByRole('button', { name: 'Copy Link' }));
    expect(await row.findByText('Copied')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/invite/aaaaaaaaaaaaaaaaaaaaaa`);
  });

  it('can be sent again, with a retry when that fails', async () => {
    const { user, api } = startTeam({ invites: [makeInvite()] });
    api.on('POST /team/invites/:inviteId/resend', DOWN);
    await user.click((await rowOf('new@example.com')).getByRole('button', { name: 'Resend' }));
    expect(await screen.findByText('The invite could not be sent again. Try again in a moment.')).toBeTruthy();
    api.on('POST /team/invites/:inviteId/resend', {
      invite: makeInvite({ _id: 'bbbbbbbbbbbbbbbbbbbbbb' }),
      mailed: true,
    });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/Invite sent again/)).toBeTruthy();
  });

  it('are revoked after a confirmation', async () => {
    const { user, api } = startTeam({ invites: [makeInvite()] });
    api.on('DELETE /team/invites/:inviteId', {});
    await user.click((await rowOf('new@example.com')).getByRole('button', { name: 'Revoke' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Revoke Invite' }));
    api.on('GET /team/invites', { invites: [] });
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('No pending invites')).toBeTruthy();
  });
});
