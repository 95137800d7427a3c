import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeMessage } from '../testing.ts';
import { deliveryStateOf, lastSeq, mergeMessages, mergeOlder, mergeReceipts, startThread } from './thread.ts';

/** Messages `from` to `to` of one chat. */
function stretch(from: number, to: number) {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => makeMessage({ seq: from + index }));
}

function seqs(thread: { messages: readonly { seq: number }[] }): number[] {
  return thread.messages.map(({ seq }) => seq);
}

/** A conversation: its first page, then the rest in any order and in any batches, some of it twice. */
const deliveries = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 20 }))
  .chain(([first, held, coming]) => {
    const page = stretch(first, first + held);
    const rest = stretch(first + held + 1, first + held + coming);
    const arrivals = fc
      .tuple(
        fc.shuffledSubarray(rest, { minLength: rest.length }),
        fc.shuffledSubarray([...page, ...rest]),
        fc.integer({ min: 1, max: 5 }),
      )
      .map(([all, again, size]) => {
        const queue = [...all, ...again];
        return Array.from({ length: Math.ceil(queue.length / size) }, (_, index) =>
          queue.slice(index * size, (index + 1) * size),
        );
      });
    return fc.record({ page: fc.constant(page), rest: fc.constant(rest), arrivals });
  });

describe('a thread', () => {
  it('is complete and in order, whatever the order of arrival', () => {
    fc.assert(
      fc.property(deliveries, ({ page, rest, arrivals }) => {
        const thread = arrivals.reduce(mergeMessages, startThread({ messages: page, more: true }));
        expect(thread.messages).toEqual([...page, ...rest]);
        expect(thread.ahead).toEqual([]);
      }),
    );
  });

  it('never shows a gap or a duplicate in between', () => {
    fc.assert(
      fc.property(deliveries, ({ page, arrivals }) => {
        let thread = startThread({ messages: page, more: true });
        for (const batch of arrivals) {
          thread = mergeMessages(thread, batch);
          expect(seqs(thread)).toEqual(Array.from(thread.messages, (_, index) => (page[0]?.seq ?? 1) + index));
          expect(thread.ahead.every(({ seq }) => seq > lastSeq(thread) + 1)).toBe(true);
        }
      }),
    );
  });

  it('holds messages back behind a gap until the gap is filled', () => {
    const opened = startThread({ messages: stretch(1, 2), more: false });
    const torn = mergeMessages(opened, stretch(4, 5));
    expect(seqs(torn)).toEqual([1, 2]);
    expect(torn.ahead).toHaveLength(2);
    const mended = mergeMessages(torn, stretch(3, 3));
    expect(seqs(mended)).toEqual([1, 2, 3, 4, 5]);
    expect(mended.ahead).toEqual([]);
  });

  it('starts at message 1 when it was opened empty', () => {
    const empty = startThread({ messages: [], more: false });
    expect(seqs(mergeMessages(empty, stretch(2, 2)))).toEqual([]);
    expect(seqs(mergeMessages(empty, stretch(1, 2)))).toEqual([1, 2]);
  });

  it('grows upwards page by page', () => {
    const opened = startThread({ messages: stretch(51, 60), more: true });
    const grown = mergeOlder(opened, { messages: stretch(1, 50), more: false });
    expect(grown.messages).toHaveLength(60);
    expect(grown.older).toBe(false);
  });

  it('stays the same object when nothing changed, so that nothing is rendered again', () => {
    const opened = startThread({ messages: stretch(1, 3), more: false });
    expect(mergeMessages(opened, stretch(2, 3))).toBe(opened);
  });
});

describe('receipts', () => {
  const mark = fc.record({ delivered: fc.nat(50), read: fc.nat(50) });

  it('only move forward', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ visitor: mark, staff: mark }), { minLength: 1 }), (told) => {
        const thread = told.reduce(mergeReceipts, startThread({ messages: [], more: false }));
        expect(thread.receipts?.visitor).toEqual({
          delivered: Math.max(...told.map(({ visitor }) => visitor.delivered)),
          read: Math.max(...told.map(({ visitor }) => visitor.read)),
        });
      }),
    );
  });

  it('tell whether a message was sent, delivered or read', () => {
    const receipts = { visitor: { delivered: 4, read: 2 }, staff: { delivered: 9, read: 9 } };
    expect([2, 3, 4, 5].map((seq) => deliveryStateOf(seq, receipts))).toEqual([
      'read',
      'delivered',
      'delivered',
      'sent',
    ]);
    expect(deliveryStateOf(1, null)).toBe('sent');
  });
});
