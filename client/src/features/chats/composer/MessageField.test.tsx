import { act, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { id, makeSite } from '../../../../test/make.ts';
import { OAK, openChat } from '../testing.ts';

const HOURS = {
  _id: id(),
  siteId: OAK._id,
  shortcut: 'hours',
  content: 'We are here from nine to five.',
  personal: false,
  files: [],
};
const REPLIES = { replies: [HOURS], nextCursor: null };

const repliesButton = () => screen.getByRole('button', { name: 'Canned replies' });

it('lets the next key press undo what a button inserted', async () => {
  const { api, user, field } = await openChat();
  api.on('GET /canned-replies', REPLIES);
  await user.click(repliesButton());
  expect(field.value).toBe('/');
  // What a key does that restores the text from before the button.
  fireEvent.change(field, { target: { value: '' } });
  expect(field.value).toBe('');
});

describe('the / inserted by the button', () => {
  it('is removed when the list is closed', async () => {
    const { api, user, field } = await openChat();
    api.on('GET /canned-replies', REPLIES);
    await user.type(field, 'Hello');
    await user.click(repliesButton());
    expect(field.value).toBe('Hello /');
    await screen.findByRole('option', { name: /hours/ });
    await user.keyboard('{Escape}');
    expect(field.value).toBe('Hello');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('is removed when the replies are managed instead', async () => {
    const { api, user, field } = await openChat();
    api.on('GET /canned-replies', REPLIES);
    await user.click(repliesButton());
    await user.click(await screen.findByRole('option', { name: 'Manage canned replies' }));
    await user.click(await screen.findByRole('button', { name: 'Done' }));
    expect(field.value).toBe('');
  });

  it('stays when it was typed by hand', async () => {
    const { api, user, field } = await openChat();
    api.on('GET /canned-replies', REPLIES);
    await user.type(field, '/');
    await screen.findByRole('option', { name: /hours/ });
    await user.keyboard('{Escape}');
    expect(field.value).toBe('/');
  });
});

describe('the Enter key', () => {
  it('waits for canned replies that are still loading instead of sending the shortcut', async () => {
    const { api, socket, user, field } = await openChat();
    let arrive = () => {};
    api.on('GET /canned-replies', () => new Promise((done) => (arrive = () => done(REPLIES))));
    await user.type(field, '/hours{Enter}');
    expect(field.value).toBe('/hours');
    expect(socket.sent('send_message')).toEqual([]);
    await act(async () => arrive());
    await screen.findByRole('option', { name: /hours/ });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(field.value).toBe(HOURS.content));
  });

  it('sends nothing when there are no canned replies', async () => {
    const { api, socket, user, field } = await openChat({
      sites: [makeSite({ ...OAK, role: 'agent', isOwner: false })],
    });
    api.on('GET /canned-replies', { replies: [], nextCursor: null });
    await user.type(field, '/');
    await screen.findByRole('option', { name: 'Manage canned replies' });
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Canned replies' })).toBeTruthy();
    expect(socket.sent('send_message')).toEqual([]);
  });

  it('does not send when it confirms a word of an input method, in Safari either', async () => {
    const { socket, user, field } = await openChat();
    await user.type(field, 'こんにちは');
    fireEvent(field, createEvent.keyDown(field, { key: 'Enter', keyCode: 229 }));
    expect(field.value).toBe('こんにちは');
    expect(socket.sent('send_message')).toEqual([]);
  });
});
