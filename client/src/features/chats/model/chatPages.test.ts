import fc from 'fast-check';
import type { Chat } from 'server/contract';
import { expect, it } from 'vitest';
import { makeChat } from '../../../../test/make.ts';
import { displayOrderOf } from '../../inbox/list/useChatsPage.ts';
import { isClaimable } from '../actions/claim.ts';
import { type ChatFilter, type ChatPages, comparatorOf, flattenPages, matchesFilter, upsertChat } from './chatPages.ts';

function at(minute: number): Chat['metadata'] {
  return { lastMessage: '', lastActivity: new Date(minute * 60_000).toISOString() };
}

function pagesOf(...pages: Chat[][]): ChatPages {
  return {
    pages: pages.map((chats, index) => ({ chats, nextCursor: index < pages.length - 1 ? String(index + 1) : null })),
    pageParams: pages.map((_, index) => (index === 0 ? undefined : String(index))),
  };
}

const latest = comparatorOf({ status: 'all' });

const arbitraryChat = fc
  .record({
    _id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    status: fc.constantFrom('waiting' as const, 'active' as const, 'closed' as const),
    minute: fc.nat(20),
    rev: fc.nat(10),
  })
  .map(({ minute, ...parts }) => makeChat({ ...parts, metadata: at(minute) }));

const arbitraryFilter: fc.Arbitrary<ChatFilter> = fc.record({
  status: fc.constantFrom('all' as const, 'waiting' as const, 'active' as const, 'closed' as const),
});

it('shows each chat once, newest first, filtered, with its latest row', () => {
  fc.assert(
    fc.property(arbitraryFilter, fc.array(arbitraryChat), (filter, rows) => {
      const pages = rows.reduce((held, row) => upsertChat(held, filter, row), pagesOf([]));
      const shown = flattenPages(pages, comparatorOf(filter));
      expect(new Set(shown.map(({ _id }) => _id)).size).toBe(shown.length);
      expect(shown.every((chat) => matchesFilter(chat, filter))).toBe(true);
      const times = shown.map(({ metadata }) => metadata.lastActivity);
      expect(times).toEqual(times.toSorted().toReversed());
    }),
  );
});

it('does not replace a newer row by an older one', () => {
  const chat = makeChat({ rev: 5, status: 'active' });
  const pages = pagesOf([chat]);
  expect(upsertChat(pages, { status: 'all' }, { ...chat, rev: 4, status: 'waiting' })).toBe(pages);
});

it('moves a row out of a filter it no longer matches, into one it does', () => {
  const chat = makeChat({ rev: 1, status: 'waiting' });
  const active = { ...chat, rev: 2, status: 'active' as const };
  expect(flattenPages(upsertChat(pagesOf([chat]), { status: 'waiting' }, active), latest)).toEqual([]);
  expect(flattenPages(upsertChat(pagesOf([]), { status: 'active' }, active), latest)).toEqual([active]);
});

it('leaves a row that is older than all loaded ones to a later page', () => {
  const [newest, older] = [makeChat({ metadata: at(9) }), makeChat({ metadata: at(1) })];
  const pages: ChatPages = { pages: [{ chats: [newest], nextCursor: 'more' }], pageParams: [undefined] };
  expect(flattenPages(upsertChat(pages, { status: 'all' }, older), latest)).toEqual([newest]);
});

it('uses the newest version of a row that is on two pages', () => {
  const chat = makeChat({ rev: 1 });
  expect(flattenPages(pagesOf([{ ...chat, rev: 3 }], [chat]), latest).map(({ rev }) => rev)).toEqual([3]);
});

it('keeps chats of other sites out of the list of one site', () => {
  const chat = makeChat();
  expect(matchesFilter(chat, { status: 'all', site: chat.site._id })).toBe(true);
  expect(matchesFilter(chat, { status: 'all', site: 'another' })).toBe(false);
});

it('does not allow claiming a closed or claimed chat', () => {
  const by = { _id: 'x', name: 'Ana' };
  expect(isClaimable(makeChat({ status: 'waiting' }))).toBe(true);
  expect(isClaimable(makeChat({ status: 'active' }))).toBe(true);
  expect(isClaimable(makeChat({ status: 'active', claimedBy: by }))).toBe(false);
  expect(isClaimable(makeChat({ status: 'closed' }))).toBe(false);
});

it('sorts the longest waiting first, then the others by newest activity', () => {
  const filter: ChatFilter = { status: 'all', sort: 'waiting' };
  const waits = (minute: number) => ({ waitingSince: new Date(minute * 60_000).toISOString(), metadata: at(50) });
  const [long, short] = [makeChat(waits(1)), makeChat(waits(2))];
  const [recent, old] = [makeChat({ metadata: at(90) }), makeChat({ metadata: at(9) })];
  const pages = [old, short, recent, long].reduce((held, row) => upsertChat(held, filter, row), pagesOf([]));
  expect(flattenPages(pages, comparatorOf(filter))).toEqual([long, short, recent, old]);
});

it('shows chats that are over below all others, unless another order is chosen', () => {
  const [over, waiting] = [makeChat({ status: 'closed', metadata: at(9) }), makeChat({ metadata: at(1) })];
  const shown = (filter: ChatFilter) => flattenPages(pagesOf([over, waiting]), displayOrderOf(filter));
  expect(shown({ status: 'all' })).toEqual([waiting, over]);
  const search: ChatFilter = { status: 'all', search: 'chairs' };
  expect(displayOrderOf(search)).toBe(comparatorOf(search));
  const wait: ChatFilter = { status: 'all', sort: 'waiting' };
  expect(displayOrderOf(wait)).toBe(comparatorOf(wait));
});

it('leaves the search to the server, and keeps found chats up to date', () => {
  const filter: ChatFilter = { status: 'all', search: 'chairs' };
  const found = makeChat({ metadata: at(1) });
  const pages = pagesOf([found]);
  expect(upsertChat(pages, filter, makeChat())).toBe(pages);
  const closed = { ...found, rev: 2, status: 'closed' as const };
  expect(flattenPages(upsertChat(pages, filter, closed), comparatorOf(filter))).toEqual([closed]);
});

it('keeps chats of others out of ‘Mine’', () => {
  const filter: ChatFilter = { status: 'all', claimedBy: 'ana' };
  expect(matchesFilter(makeChat({ claimedBy: { _id: 'ana', name: 'Ana' } }), filter)).toBe(true);
  expect(matchesFilter(makeChat({ claimedBy: { _id: 'ben', name: 'Ben' } }), filter)).toBe(false);
  expect(matchesFilter(makeChat(), filter)).toBe(false);
});
