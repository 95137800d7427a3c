import { act, screen, waitFor, within } from '@testing-library/react';
import type { BulkBody, BulkResult, Chat, TeamMember } from 'server/contract';
import { describe, expect, it } from 'vitest';
import { type FakeApi, Refusal } from '../../../test/api.ts';
import { id, makeSite } from '../../../test/make.ts';
import { ANA, OAK, oakChat, startInbox } from '../chats/testing.ts';
// A lazy module: imported here, so that no test waits for it.
import './SelectBox.tsx';

const named = (name: string, parts: Partial<Chat> = {}) =>
  oakChat({ visitorInfo: { name, email: null, userAgent: '', location: null }, ...parts });
const boxOf = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name: `Select the chat of ${name}` });
const bar = async () => within(await screen.findByRole('region', { name: 'Selected chats' }));

/** Answers each chat with what `answer` makes of it; left out: it is done. */
function answerBulk(api: FakeApi, chats: readonly Chat[], answer: (chat: Chat) => Partial<Chat> | BulkResult | null) {
  api.on('POST /chats/bulk', ({ body }) => ({
    results: (body as BulkBody).chatIds.map((chatId): BulkResult => {
      const chat = chats.find(({ _id }) => _id === chatId) as Chat;
      const made = answer(chat);
      if (made === null) return { chatId, outcome: 'unchanged', chat };
      return 'outcome' in made ? made : { chatId, outcome: 'done', chat: { ...chat, ...made, rev: chat.rev + 1 } };
    }),
  }));
}
const bodies = (api: FakeApi) => api.asked('POST /chats/bulk').map(({ body }) => body);
const refused = ({ _id }: Chat, message: string): BulkResult => ({
  chatId: _id,
  outcome: 'refused',
  code: 'ANY',
  message,
});

async function startFour(parts: Partial<Chat> = {}, sites = [OAK]) {
  const names = ['Dora', 'Carl', 'Bea', 'Abel'];
  const chats = names.map((name) => named(name, parts));
  const started = await startInbox({ chats, sites });
  await boxOf('Dora');
  // The newest began last, and stands first.
  return { ...started, chats, shown: names.toReversed() };
}

describe('selecting', () => {
  it('takes single chats, ranges with Shift, and all loaded; Escape ends it', async () => {
    const { user, shown } = await startFour();
    const [first = '', , third = '', last = ''] = shown;
    await user.click(await boxOf(first));
    expect((await bar()).getByText('1 selected')).toBeTruthy();
    await user.keyboard('{Shift>}');
    await user.click(await boxOf(third));
    await user.keyboard('{/Shift}');
    expect((await bar()).getByText('3 selected')).toBeTruthy();
    expect((await boxOf(last)).checked).toBe(false);
    await user.click((await bar()).getByRole('button', { name: 'Select all 4 loaded' }));
    expect((await boxOf(last)).checked).toBe(true);
    expect(screen.getByText('4 selected', { selector: '[role=status]' })).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected chats' })).toBeNull());
    // The focus was in the bar.
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Select the chat of/);
  });

  it('works with the keyboard, whose keys are then for the selection instead of the open chat', async () => {
    const { user, api, chats } = await startFour();
    answerBulk(api, chats, () => ({ status: 'closed' }));
    await user.keyboard('jxjx');
    expect((await bar()).getByText('2 selected')).toBeTruthy();
    await user.keyboard('e');
    await user.click(await screen.findByRole('button', { name: 'Close 2 chats' }));
    await waitFor(() => expect(bodies(api)).toHaveLength(1));
    expect(api.asked('POST /chats/:id/close')).toEqual([]);
  });

  it('is offered only for chats that the user may answer', async () => {
    const elsewhere = makeSite({ name: 'Read only', role: 'viewer', isOwner: false });
    const chats = [named('Dora'), named('Carl', { site: { _id: elsewhere._id, name: elsewhere.name } })];
    await startInbox({ chats, sites: [OAK, elsewhere] });
    await boxOf('Dora');
    expect(screen.queryByRole('checkbox', { name: 'Select the chat of Carl' })).toBeNull();
  });

  it('drops chats that leave the list', async () => {
    const { user, socket, chats } = await startFour();
    await user.click(await boxOf('Dora'));
    await user.click(await boxOf('Carl'));
    act(() => socket.tell('chat_deleted', { chatId: chats[0]?._id ?? '' }));
    expect(await (await bar()).findByText('1 selected')).toBeTruthy();
  });
});

describe('closing', () => {
  it('asks once for several, says who waits, and is undone as a whole', async () => {
    const { user, api, chats } = await startFour({ waitingSince: new Date().toISOString() });
    answerBulk(api, chats, () => ({ status: 'closed' }));
    for (const name of ['Dora', 'Carl', 'Bea']) await user.click(await boxOf(name));
    await user.click((await bar()).getByRole('button', { name: 'Close' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Close 3 chats?' }));
    expect(question.getByText(/3 visitors wait for an answer/)).toBeTruthy();
    expect(bodies(api)).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Close 3 chats' }));
    expect(await screen.findByText('3 chats closed')).toBeTruthy();
    const sent = bodies(api)[0] as BulkBody;
    expect(new Set(sent.chatIds)).toEqual(new Set(chats.slice(0, 3).map(({ _id }) => _id)));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected chats' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('3 chats reopened and claimed by you')).toBeTruthy();
    expect(bodies(api)[1]).toEqual({ action: 'reopen', chatIds: sent.chatIds });
  });

  it('of one chat happens at once, and of closed ones not at all', async () => {
    const chats = [named('Dora'), named('Carl', { status: 'closed' })];
    const { user, api } = await startInbox({ chats });
    answerBulk(api, chats, () => ({ status: 'closed' }));
    await user.click(await boxOf('Carl'));
    expect((await bar()).queryByRole('button', { name: 'Close' })).toBeNull();
    await user.click(await boxOf('Dora'));
    await user.click((await bar()).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('1 chat closed')).toBeTruthy();
    expect(bodies(api)).toEqual([{ action: 'close', chatIds: [chats[0]?._id] }]);
  });

  it('says which chats failed and why, keeps them selected, and undoes only what was done', async () => {
    const { user, api, chats } = await startFour();
    const [dora, carl, bea] = chats as [Chat, Chat, Chat];
    answerBulk(api, chats, (chat) => {
      if (chat === carl) return null;
      return chat === bea ? refused(bea, 'Your role does not allow this.') : { status: 'closed' };
    });
    for (const name of ['Dora', 'Carl', 'Bea']) await user.click(await boxOf(name));
    await user.click((await bar()).getByRole('button', { name: 'Close' }));
    await user.click(await screen.findByRole('button', { name: 'Close 3 chats' }));
    expect(await screen.findByText('1 of 3 chats closed · 1 is already closed')).toBeTruthy();
    expect(screen.getByText('Bea: Your role does not allow this.')).toBeTruthy();
    expect(await (await bar()).findByText('1 selected')).toBeTruthy();
    expect((await boxOf('Bea')).checked).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(bodies(api)[1]).toEqual({ action: 'reopen', chatIds: [dora._id] }));
  });

  it('keeps the selection where the server cannot be reached, and tries again', async () => {
    const { user, api, chats } = await startFour();
    api.on('POST /chats/bulk', new Refusal(503, { code: 'UNAVAILABLE', message: 'Busy' }));
    await user.click(await boxOf('Dora'));
    await user.click((await bar()).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/The chats could not be closed/)).toBeTruthy();
    expect((await bar()).getByText('1 selected')).toBeTruthy();
    answerBulk(api, chats, () => ({ status: 'closed' }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('1 chat closed')).toBeTruthy();
  });
});

describe('tagging', () => {
  it('adds a tag that is typed or suggested, and takes it off again', async () => {
    const { user, api, chats } = await startFour({ tags: ['old'] });
    api.on('GET /inbox/tags', { tags: ['refund', 'old'] });
    answerBulk(api, chats, ({ tags }) => ({ tags: [...tags, 'vip'] }));
    for (const name of ['Dora', 'Carl']) await user.click(await boxOf(name));
    await user.keyboard('l');
    const dialog = within(await screen.findByRole('dialog', { name: 'Tag 2 chats' }));
    expect(await dialog.findByRole('button', { name: 'refund' })).toBeTruthy();
    expect(within(dialog.getByRole('list', { name: 'Suggested tags' })).queryByText('old')).toBeNull();
    expect(dialog.getByRole('button', { name: 'Remove the tag old' })).toBeTruthy();
    await user.type(dialog.getByRole('textbox', { name: 'Add a tag' }), '  VIP {Enter}');
    expect(await screen.findByText('2 chats tagged ‘vip’')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(bodies(api)).toHaveLength(2));
    expect(bodies(api)).toMatchObject([
      { action: 'tag', tag: 'vip' },
      { action: 'untag', tag: 'vip' },
    ]);
  });
});

describe('assigning', () => {
  const member = (name: string, sites: TeamMember['sites']): TeamMember => ({
    _id: id(),
    name,
    email: `${name}@example.com`,
    role: 'agent',
    isOwner: false,
    online: false,
    sites,
  });

  it('offers those who can answer on all websites of the selection, and says so', async () => {
    const elm = makeSite({ name: 'Elm' });
    const roles = (...given: ['agent' | 'viewer', string][]) => given.map(([role, _id]) => ({ _id, role }));
    const both = member('Both', roles(['agent', OAK._id], ['agent', elm._id]));
    const members = [
      both,
      member('Half', roles(['agent', OAK._id])),
      member('Reader', roles(['agent', OAK._id], ['viewer', elm._id])),
    ];
    const chats = [named('Dora'), named('Carl', { site: { _id: elm._id, name: elm.name }, claimedBy: ANA })];
    const { user, api } = await startInbox({ chats, sites: [OAK, elm] });
    api.on('GET /team/members', { members });
    answerBulk(api, chats, () => ({ claimedBy: both }));
    for (const name of ['Dora', 'Carl']) await user.click(await boxOf(name));
    await user.keyboard('t');
    const dialog = within(await screen.findByRole('dialog', { name: 'Assign 2 chats' }));
    expect(dialog.getByText(/belong to 2 websites/)).toBeTruthy();
    await user.click(await dialog.findByRole('button', { name: /Both/ }));
    expect(dialog.queryByText('Half')).toBeNull();
    expect(dialog.queryByText('Reader')).toBeNull();
    expect(await screen.findByText('2 chats assigned to Both')).toBeTruthy();
    expect(bodies(api)).toMatchObject([{ action: 'transfer', userId: both._id }]);
  });

  it('gives chats back to the queue', async () => {
    const { user, api, chats } = await startFour({ claimedBy: ANA, status: 'active' });
    answerBulk(api, chats, () => ({ claimedBy: null }));
    await user.click(await boxOf('Dora'));
    await user.click((await bar()).getByRole('button', { name: 'Assign' }));
    await user.click(await screen.findByRole('button', { name: 'Back to the queue' }));
    expect(await screen.findByText('1 chat given back to the queue')).toBeTruthy();
    expect(bodies(api)).toEqual([{ action: 'transfer', userId: null, chatIds: [chats[0]?._id] }]);
  });
});
