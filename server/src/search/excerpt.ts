import { firstMeeting, type Term } from './words.ts';

/** Code points before and behind the word found. */
const BEFORE = 40;
const BEHIND = 80;

/** A message cut to what stands around the first word found. */
export function excerptOf(content: string, terms: Term[]): string {
  const flat = content.replace(/\s+/gu, ' ').trim();
  const hit = Math.max(0, firstMeeting(flat, terms));
  const ahead = [...flat.slice(0, hit)];
  const behind = [...flat.slice(hit)];
  const before = ahead.slice(-BEFORE);
  const text = [...before, ...behind.slice(0, BEFORE + BEHIND - before.length)];
  const isCutBefore = before.length < ahead.length;
  const isCutBehind = before.length + behind.length > text.length;
  return `${isCutBefore ? '…' : ''}${text.join('')}${isCutBehind ? '…' : ''}`;
}
