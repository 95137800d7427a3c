import { Types } from 'mongoose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { events } from '../../../platform/events/index.ts';
import { TYPING_ENDS_MS, TYPING_EVERY_MS, TYPING_TEXT_EVERY_MS } from '../contract.ts';
import { createTyping, type Typing } from './live.ts';
import '../events.ts';
import type { SiteDoc } from '../../sites/index.ts';
import type { ChatDoc } from '../model.ts';

const chat = { _id: new Types.ObjectId(), site: new Types.ObjectId() } as ChatDoc;
const vera = { chat, userId: null, name: 'Vera' };
const ana = { chat, userId: 'a'.repeat(24), name: 'Ana' };

let typing: Typing;
let told: [name: string | null, isTyping: boolean][];
let stopListening: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  typing = createTyping();
  told = [];
  stopListening = events.on('typingChanged', ({ name, isTyping }) => void told.push([name, isTyping]));
});
afterEach(() => {
  typing.stop();
  stopListening();
  vi.useRealTimers();
});

test('typing is reported at most every three seconds, for each writer separately', () => {
  for (let i = 0; i < 3; i++) {
    typing.report(vera, true);
    typing.report(ana, true);
  }
  expect(told).toEqual([
    ['Vera', true],
    ['Ana', true],
  ]);
  vi.advanceTimersByTime(TYPING_EVERY_MS - 1);
  typing.report(vera, true);
  expect(told).toHaveLength(2);
  vi.advanceTimersByTime(1);
  typing.report(vera, true);
  expect(told.at(-1)).toEqual(['Vera', true]);
});

test('the end of typing is reported once and at once, and does not reset the limit', () => {
  typing.report(vera, false);
  for (let i = 0; i < 3; i++) {
    typing.report(vera, true);
    typing.report(vera, false);
  }
  expect(told).toEqual([
    ['Vera', true],
    ['Vera', false],
  ]);
});

test('typing ends by itself after six seconds', () => {
  typing.report(vera, true);
  vi.advanceTimersByTime(TYPING_EVERY_MS);
  typing.report(vera, true);
  vi.advanceTimersByTime(TYPING_ENDS_MS - 1);
  expect(told).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(told.at(-1)).toEqual(['Vera', false]);
  vi.advanceTimersByTime(TYPING_ENDS_MS);
  expect(told).toHaveLength(3);
});

test('what a visitor has typed is gone as soon as the site no longer shows it', async () => {
  const change = (site: Types.ObjectId, field: string) =>
    events.emit('siteUpdated', { site: { _id: site } as SiteDoc, by: new Types.ObjectId(), fields: [field] });
  typing.report(vera, true, 'Hel');
  typing.report(ana, true);
  await change(new Types.ObjectId(), 'settings.typingPreview');
  await change(chat.site, 'name');
  expect(told).toHaveLength(2);
  await change(chat.site, 'settings.typingPreview');
  expect(told.slice(2)).toEqual([['Vera', false]]);
});

test('a text that comes a little sooner than it was sent is passed on', () => {
  typing.report(vera, true, 'Hel');
  vi.advanceTimersByTime(TYPING_TEXT_EVERY_MS / 10);
  typing.report(vera, true, 'Hell');
  expect(told).toHaveLength(1);
  vi.advanceTimersByTime(TYPING_TEXT_EVERY_MS * 0.8);
  typing.report(vera, true, 'Hello');
  expect(told).toHaveLength(2);
});
