import { act, screen, waitFor, within } from '@testing-library/react';
import type { PersonNote, VisitorPresence } from 'server/contract';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { makeSite } from '../../../../test/make.ts';
import { makeNote, NOTHING_KNOWN, OAK, oakChat, openChat } from '../testing.ts';

const mina = { name: 'Mina Park', email: 'mina@example.com', userAgent: '', location: null };
const panel = () => within(screen.getByRole('complementary', { name: 'Visitor details' }));
const section = () => within(panel().getByRole('region', { name: 'Note on this person' }));
const viewer = [makeSite({ ...OAK, role: 'viewer', isOwner: false })];

function noteBy(name: string, content: string, version = content): PersonNote {
  return { version, content, author: { ...makeNote().author, name }, at: new Date().toISOString() };
}

async function start(known: Partial<VisitorPresence> = {}, sites = [OAK]) {
  const chat = oakChat({ visitorInfo: mina });
  const started = await openChat({ chat, sites });
  const { socket } = started;
  const tell = (more: Partial<VisitorPresence>) => {
    const { name, email } = mina;
    const of = { visitorId: chat.visitorId, siteId: OAK._id, name, email };
    act(() => socket.tell('visitor_updated', { ...of, ...NOTHING_KNOWN, ...more }));
  };
  await screen.findByText('Online');
  tell(known);
  return { ...started, tell };
}

describe('contact details', () => {
  it('are corrected in a dialog, only those that changed, and show at once', async () => {
    const { api, user, chat } = await start({ phone: '030 12345' });
    api.on('PATCH /visitors/:id', {
      visitor: { _id: chat.visitorId, name: 'Mina Parker', email: 'mina@example.com' },
    });
    expect((await panel().findByRole('link', { name: '030 12345' })).getAttribute('href')).toBe('tel:03012345');
    await user.click(await panel().findByRole('button', { name: 'Edit contact details' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Contact details' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'er');
    await user.clear(dialog.getByRole('textbox', { name: 'Phone' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await panel().findByText('Mina Parker')).toBeTruthy();
    expect(api.asked('PATCH /visitors/:id')[0]).toMatchObject({
      params: { id: chat.visitorId },
      body: { name: 'Mina Parker', phone: '' },
    });
    expect(panel().queryByText('030 12345')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('that are refused stay in the dialog with the reason', async () => {
    const { api, user } = await start();
    const wrong = 'Please enter a valid email address';
    api.on(
      'PATCH /visitors/:id',
      new Refusal(422, { code: 'VALIDATION_FAILED', message: wrong, errors: [{ msg: wrong, path: 'email' }] }),
    );
    await user.click(await panel().findByRole('button', { name: 'Edit contact details' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Contact details' }));
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), '{Control>}a{/Control}nowhere{Enter}');
    expect(await dialog.findByText(wrong)).toBeTruthy();
    expect(dialog.getByRole('textbox', { name: 'Email' }).getAttribute('aria-invalid')).toBe('true');
    api.on('PATCH /visitors/:id', new Refusal(409, { code: 'IDENTIFIED', message: 'Proved by the website.' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Proved by the website.');
  });
});

describe('the note on a person', () => {
  it('is written, changed and shown with its last author', async () => {
    const { api, user } = await start();
    const written = noteBy('Ana Lind', 'Prefers mail');
    api.on('PUT /visitors/:id/note', { note: written });
    await user.click(await panel().findByRole('button', { name: 'Add a note' }));
    await user.type(section().getByRole('textbox', { name: 'Note on this person' }), 'Prefers mail');
    await user.click(section().getByRole('button', { name: 'Save' }));
    expect(await section().findByText('Prefers mail')).toBeTruthy();
    expect(section().getByText('Ana Lind')).toBeTruthy();
    expect(api.asked('PUT /visitors/:id/note')[0]?.body).toEqual({ content: 'Prefers mail' });
    api.on('PUT /visitors/:id/note', { note: null });
    await user.click(section().getByRole('button', { name: 'Change note' }));
    await user.clear(section().getByRole('textbox'));
    await user.click(section().getByRole('button', { name: 'Save' }));
    expect(await section().findByRole('button', { name: 'Add a note' })).toBeTruthy();
    expect(api.asked('PUT /visitors/:id/note')[1]?.body).toEqual({ content: '', version: written.version });
  });

  it('of a colleague is not overwritten unseen', async () => {
    const { api, user, tell } = await start({ note: noteBy('Ana Lind', 'Old') });
    await user.click(await panel().findByRole('button', { name: 'Change note' }));
    await user.type(section().getByRole('textbox'), ' and mine');
    api.on('PUT /visitors/:id/note', new Refusal(409, { code: 'NOTE_CHANGED', message: 'Changed.' }));
    await user.click(section().getByRole('button', { name: 'Save' }));
    expect((await section().findByRole('alert')).textContent).toContain('has changed this note');
    tell({ note: noteBy('Ben Okafor', 'His') });
    expect(await section().findByText('His')).toBeTruthy();
    expect(section().getByRole('textbox')).toHaveProperty('value', 'Old and mine');
    api.on('PUT /visitors/:id/note', { note: noteBy('Ana Lind', 'Old and mine') });
    await user.click(section().getByRole('button', { name: 'Save mine instead' }));
    await waitFor(() => expect(section().queryByRole('textbox')).toBeNull());
    expect(api.asked('PUT /visitors/:id/note').map(({ body }) => body)).toEqual([
      { content: 'Old and mine', version: 'Old' },
      { content: 'Old and mine', version: 'His' },
    ]);
  });
});

describe('an address whose mails come back', () => {
  const bounced = { status: '5.1.1', at: '2026-01-05T09:00:00.000Z' };
  const warning = () => panel().queryByText('Mails to this address come back');
  const again = () => panel().findByRole('button', { name: 'Try this address again' });

  it('is marked with the reason, and tried again at once', async () => {
    const { api, user, chat, tell } = await start({ bounced });
    expect(await panel().findByText('There is no such mailbox.')).toBeTruthy();
    tell({ bounced: { ...bounced, status: '5.7.1' } });
    expect(await panel().findByText('The mail server answered 5.7.1.')).toBeTruthy();
    api.on('DELETE /visitors/:id/bounce', {});
    await user.click(await again());
    expect(warning()).toBeNull();
    await waitFor(() => expect(api.asked('DELETE /visitors/:id/bounce')[0]?.params).toEqual({ id: chat.visitorId }));
  });

  it('stays marked when the server refuses, which is said', async () => {
    const { api, user } = await start({ bounced });
    api.on('DELETE /visitors/:id/bounce', new Refusal(403, { code: 'FORBIDDEN', message: 'Not allowed.' }));
    await user.click(await again());
    expect(await screen.findByText('Not allowed.')).toBeTruthy();
    expect(warning()).toBeTruthy();
  });
});

it('viewers read the note and the phone number, and change nothing', async () => {
  await start({ phone: '12345', note: noteBy('Ben Okafor', 'Regular') }, viewer);
  expect(await panel().findByText('Regular')).toBeTruthy();
  expect(await panel().findByRole('link', { name: '12345' })).toBeTruthy();
  expect(panel().queryByRole('button', { name: /Change note|Edit contact details/ })).toBeNull();
});
