import fc from 'fast-check';
import type { Chat } from 'server/contract';
import { expect, it } from 'vitest';
import { makeChat } from '../../../test/make.ts';
import { belongs, type ChatFilter, type ChatPages, claimable, flatten, placeChat } from './rows.ts';

function at(minute: number): Chat['metadata'] {
  return { lastMessage: '', lastActivity: new Date(minute * 60_000).toISOString() };
}

function pagesOf(...pages: Chat[][]): ChatPages {
  return {
    pages: pages.map((chats, index) => ({ chats, nextCursor: index < pages.length - 1 ? String(index + 1) : null })),
    pageParams: pages.map((_, index) => (index === 0 ? undefined : String(index))),
  };
}

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

it('shows each chat once, newest first, only where it belongs, and as its newest row says', () => {
  fc.assert(
    fc.property(arbitraryFilter, fc.array(arbitraryChat), (filter, rows) => {
      const pages = rows.reduce((held, row) => placeChat(held, filter, row), pagesOf([]));
      const shown = flatten(pages);
      expect(new Set(shown.map(({ _id }) => _id)).size).toBe(shown.length);
      expect(shown.every((chat) => belongs(chat, filter))).toBe(true);
      const times = shown.map(({ metadata }) => metadata.lastActivity);
      expect(times).toEqual(times.toSorted().toReversed());
    }),
  );
});

it('does not let a stale row replace a newer one', () => {
  const chat = makeChat({ rev: 5, status: 'active' });
  const pages = pagesOf([chat]);
  expect(placeChat(pages, { status: 'all' }, { ...chat, rev: 4, status: 'waiting' })).toBe(pages);
});

it('moves a row out of a filter it no longer fits, and into the one it does', () => {
  const chat = makeChat({ rev: 1, status: 'waiting' });
  const active = { ...chat, rev: 2, status: 'active' as const };
  expect(flatten(placeChat(pagesOf([chat]), { status: 'waiting' }, active))).toEqual([]);
  expect(flatten(placeChat(pagesOf([]), { status: 'active' }, active))).toEqual([active]);
});

it('leaves a row that is older than everything loaded to a later page', () => {
  const [newest, older] = [makeChat({ metadata: at(9) }), makeChat({ metadata: at(1) })];
  const pages: ChatPages = { pages: [{ chats: [newest], nextCursor: 'more' }], pageParams: [undefined] };
  expect(flatten(placeChat(pages, { status: 'all' }, older))).toEqual([newest]);
});

it('takes the newest of a row that two pages carry', () => {
  const chat = makeChat({ rev: 1 });
  expect(flatten(pagesOf([{ ...chat, rev: 3 }], [chat])).map(({ rev }) => rev)).toEqual([3]);
});

it('keeps other sites out of a list of one site', () => {
  const chat = makeChat();
  expect(belongs(chat, { status: 'all', site: chat.site._id })).toBe(true);
  expect(belongs(chat, { status: 'all', site: 'another' })).toBe(false);
});

it('lets nobody claim what is closed or taken', () => {
  const by = { _id: 'x', name: 'Ana' };
  expect(claimable(makeChat({ status: 'waiting' }))).toBe(true);
  expect(claimable(makeChat({ status: 'active' }))).toBe(true);
  expect(claimable(makeChat({ status: 'active', claimedBy: by }))).toBe(false);
  expect(claimable(makeChat({ status: 'closed' }))).toBe(false);
});
