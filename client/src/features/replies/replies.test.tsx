import { act, screen, waitFor, within } from '@testing-library/react';
import { type CannedReply, fillPlaceholders } from 'server/contract';
import { describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../test/api.ts';
import { id, makeSite } from '../../../test/make.ts';
import { fakeUploads } from '../../../test/upload.ts';
import { OAK, openChat } from '../chats/testing.ts';

const button = (name: string) => screen.getByRole('button', { name });

describe('canned replies', () => {
  const reply = (shortcut: string, content: string): CannedReply => ({
    _id: id(),
    siteId: OAK._id,
    shortcut,
    content,
    personal: false,
    files: [],
  });
  const REPLIES = [
    reply('bye', 'Have a nice day!'),
    reply('hello', 'Hello, how can I help?'),
    reply('hours', 'We are open 9 to 5.'),
  ];

  it('open on /, are chosen with the keys and inserted at the cursor', async () => {
    const { api, user, field, socket } = await openChat();
    api.on('GET /canned-replies', { replies: REPLIES, nextCursor: null });
    await user.type(field, 'Good morning. /h');
    const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
    await waitFor(() => expect(options()[0]).toBe('/helloHello, how can I help?'));
    expect(options()).toHaveLength(4);
    await user.keyboard('o{ArrowDown}{ArrowUp}{Enter}');
    expect(field.value).toBe('Good morning. We are open 9 to 5.');
    expect(socket.sent('send_message')).toEqual([]);
    expect(api.asked('GET /canned-replies')[0]?.query.siteId).toBe(OAK._id);
  });

  it('do not open for a path, and close on Escape', async () => {
    const { api, user, field, path } = await openChat();
    api.on('GET /canned-replies', { replies: REPLIES, nextCursor: null });
    await user.type(field, '/');
    expect(await screen.findByRole('listbox', { name: 'Canned replies' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(document.activeElement).toBe(field);
    await user.keyboard('etc');
    expect(screen.queryByRole('listbox')).toBeNull();
    await user.type(field, ' and/or');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(path()).toContain('chat=');
  });

  it('can be edited from the list by those who are allowed to', async () => {
    const { api, user, field } = await openChat();
    api.on('GET /canned-replies', { replies: [], nextCursor: null });
    api.on('POST /canned-replies', new Refusal(409, { code: 'SHORTCUT_TAKEN', message: 'It is taken.' }));
    await user.type(field, '/');
    await user.click(await screen.findByRole('option', { name: 'Manage canned replies' }));
    await user.click(await screen.findByRole('button', { name: 'Add a reply' }));
    await user.type(screen.getByLabelText('Shortcut'), 'hours');
    await user.type(screen.getByLabelText('Text'), 'We are open.');
    await user.click(button('Save reply'));
    expect(await screen.findByText('It is taken.')).toBeTruthy();
    expect(api.asked('POST /canned-replies')[0]?.body).toEqual({
      siteId: OAK._id,
      shortcut: 'hours',
      content: 'We are open.',
      personal: false,
    });
  });

  it('of the team can be used but not changed by agents, who have personal ones', async () => {
    const { api, user, field } = await openChat({
      sites: [{ ...makeSite({ role: 'agent', isOwner: false }), _id: OAK._id }],
    });
    const mine = { ...reply('mine', 'Hi'), personal: true };
    api.on('GET /canned-replies', { replies: [...REPLIES, mine], nextCursor: null });
    api.on('POST /canned-replies', { reply: mine });
    await user.type(field, '/');
    await user.click(await screen.findByRole('option', { name: 'Manage canned replies' }));
    expect(await screen.findByRole('button', { name: 'Edit /mine' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Edit \// })).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Add a reply' }));
    expect(screen.queryByRole('checkbox', { name: 'Only for me' })).toBeNull();
    await user.type(screen.getByLabelText('Shortcut'), 'mine');
    await user.type(screen.getByLabelText('Text'), 'Hi');
    await user.click(button('Save reply'));
    await waitFor(() => expect(api.asked('POST /canned-replies')[0]?.body).toMatchObject({ personal: true }));
  });

  it('are saved with what was changed only, so that what a colleague changes meanwhile stays', async () => {
    const { api, user, field } = await openChat();
    const files = ['one', 'two'].map((name) => ({ url: `/api/files/${name}`, name, size: 3, mime: 'text/plain' }));
    const hours = { ...reply('hours', 'We are open.'), files };
    api.on('GET /canned-replies', { replies: [hours], nextCursor: null });
    api.on('PATCH /canned-replies/:id', { reply: hours });
    const edit = async () => user.click(await screen.findByRole('button', { name: 'Edit /hours' }));
    const sent = () => api.asked('PATCH /canned-replies/:id').map(({ body }) => body);
    await user.type(field, '/');
    await user.click(await screen.findByRole('option', { name: 'Manage canned replies' }));
    await edit();
    await user.type(screen.getByLabelText('Text'), ' Come in.');
    await user.click(button('Save reply'));
    await waitFor(() => expect(sent()).toEqual([{ content: 'We are open. Come in.' }]));
    await edit();
    await user.click(screen.getByRole('button', { name: 'Remove one' }));
    await user.click(button('Save reply'));
    await waitFor(() => expect(sent().slice(1)).toEqual([{ files: ['/api/files/two'] }]));
  });

  it('have their placeholders filled and their files attached when they are inserted', async () => {
    const file = { url: '/api/files/price-list', name: 'prices.pdf', size: 3, mime: 'application/pdf' };
    const content = 'Hello {{visitor.name|there}}, I am {{ agent.name }} of {{site.name}}.';
    const { api, user, field } = await openChat();
    api.on('GET /canned-replies', { replies: [{ ...reply('hello', content), files: [file] }], nextCursor: null });
    const send = globalThis.fetch;
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
      input === file.url ? Promise.resolve(new Response('pdf')) : send(input, init),
    );
    await user.type(field, '/hello');
    await screen.findByRole('option', { name: /hello/ });
    await user.keyboard('{Enter}');
    expect(field.value).toBe('Hello Mina Park, I am Ana Lind of Oak and Line.');
    const tray = await screen.findByRole('list', { name: 'Files to send' });
    expect(within(tray).getByText('prices.pdf')).toBeTruthy();
  });

  it('keep the files that were stored when another one could not be', async () => {
    const { api, user, field } = await openChat();
    api.on('GET /canned-replies', { replies: [], nextCursor: null });
    const sent = fakeUploads();
    const made = reply('prices', 'Our prices');
    const one = { url: '/api/files/one', name: 'one.txt', size: 3, mime: 'text/plain' };
    api.on('POST /canned-replies', { reply: made });
    await user.type(field, '/');
    await user.click(await screen.findByRole('option', { name: 'Manage canned replies' }));
    await user.click(await screen.findByRole('button', { name: 'Add a reply' }));
    await user.type(screen.getByLabelText('Shortcut'), 'prices');
    await user.type(screen.getByLabelText('Text'), 'Our prices');
    const files = ['one', 'two'].map((name) => new File([name], `${name}.txt`, { type: 'text/plain' }));
    await user.upload(screen.getByLabelText('Files to add'), files);
    await user.click(button('Save reply'));
    await waitFor(() => expect(sent).toHaveLength(1));
    act(() => sent[0]?.answer(201, { success: true, data: { reply: { ...made, files: [one] } } }));
    await waitFor(() => expect(sent).toHaveLength(2));
    act(() => sent[1]?.answer(413, { success: false, code: 'SITE_FULL', message: 'No storage left.' }));
    expect((await screen.findByText('two.txt: No storage left.')).getAttribute('role')).toBe('alert');
    await user.click(button('Save reply'));
    await waitFor(() => expect(sent).toHaveLength(3));
    act(() => sent[2]?.answer(201, { success: true, data: { reply: made } }));
    expect(await screen.findByRole('button', { name: 'Add a reply' })).toBeTruthy();
    expect(api.asked('POST /canned-replies')).toHaveLength(1);
  });

  it('are imported from a file after a look at what that does', async () => {
    const { api, user, field } = await openChat();
    api.on('GET /canned-replies', { replies: [], nextCursor: null });
    const sent = fakeUploads();
    await user.type(field, '/');
    await user.click(await screen.findByRole('option', { name: 'Manage canned replies' }));
    const choose = async (name: string) =>
      user.upload(await screen.findByLabelText('CSV file'), new File(['shortcut,content'], name, { type: 'text/csv' }));
    const result = { added: 2, changed: 1, unchanged: 4, errors: [{ line: 3, message: 'Content is required' }] };
    await choose('wrong.csv');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ path: '/api/canned-replies/import', query: { siteId: OAK._id, dryRun: 'yes' } });
    act(() => sent[0]?.answer(200, { success: true, data: result }));
    expect((await screen.findByText('Line 3:')).closest('li')?.textContent).toBe('Line 3: Content is required');
    expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull();
    await choose('right.csv');
    await waitFor(() => expect(sent).toHaveLength(2));
    act(() => sent[1]?.answer(200, { success: true, data: { ...result, errors: [] } }));
    await user.click(await screen.findByRole('button', { name: 'Import 3 replies' }));
    await waitFor(() => expect(sent[2]?.query).toEqual({ siteId: OAK._id }));
    act(() => sent[2]?.answer(200, { success: true, data: { ...result, errors: [] } }));
    expect(await screen.findByText('3 replies imported')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Import' })).toBeNull();
  });
});

it.each([
  ['Hello {{visitor.name}}, welcome!', 'Hello, welcome!'],
  ['Hello {{visitor.name | there }}!', 'Hello there!'],
  ['{{visitor.name|You}} and {{agent.name}}', 'You and Ana'],
  ['{{other}} {{site.name', '{{other}} {{site.name'],
])('%s becomes %s for a visitor without a name', (content, filled) => {
  const values = { 'visitor.name': null, 'agent.name': 'Ana', 'site.name': 'Oak' };
  expect(fillPlaceholders(content, values)).toBe(filled);
});
