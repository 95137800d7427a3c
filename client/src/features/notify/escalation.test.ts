import type { Department } from 'server/contract';
import { expect, it } from 'vitest';
import { makeChat, makeSite, makeUser } from '../../../test/make.ts';
import { isRelevant, reminderFor } from './escalation.ts';

const NOW = Date.parse('2026-01-05T09:00:00.000Z');
const ANA = makeUser({ available: true });
const OAK = makeSite({ role: 'agent' });
const ORDERS: Department = {
  _id: makeUser()._id,
  name: 'Orders',
  members: [ANA._id],
  hours: null,
  visible: true,
  helpAfterMinutes: 5,
  rev: 1,
};
const ME = { user: ANA, sites: [OAK], departments: [ORDERS] };
const BEN = { _id: makeUser()._id, name: 'Ben' };

const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

function waiting(seconds: number, parts: Parameters<typeof makeChat>[0] = {}) {
  return makeChat({
    status: 'waiting',
    site: { _id: OAK._id, name: OAK.name },
    metadata: { lastMessage: 'Hello?', lastActivity: ago(seconds) },
    ...parts,
  });
}

it('plays a sound for a waiting visitor, and shows a desktop notification after a minute', () => {
  const fresh = waiting(20);
  const old = waiting(60);
  expect(reminderFor(ME, [fresh], NOW)).toEqual({ rings: true, notices: [] });
  expect(reminderFor(ME, [fresh, old], NOW)).toEqual({ rings: true, notices: [old] });
});

it.each([
  ['somebody has claimed', waiting(90, { status: 'active', claimedBy: BEN })],
  ['you have claimed yourself', waiting(90, { status: 'active', claimedBy: ANA })],
  ['is closed', waiting(90, { status: 'closed' })],
  ['was already escalated by mail', waiting(5 * 60)],
  ['is blocked', waiting(90, { blocked: true })],
  ['belongs to a site you have left', waiting(90, { site: { _id: makeSite()._id, name: 'Gone' } })],
])('stays silent for a chat that %s', (_, chat) => {
  expect(reminderFor(ME, [chat], NOW)).toEqual({ rings: false, notices: [] });
});

it('continues for the assignee when the server has only assigned the chat', () => {
  const assigned = waiting(90, { status: 'active', claimedBy: ANA, assignedAt: ago(80) });
  expect(reminderFor(ME, [assigned], NOW).rings).toBe(true);
  const toBen = { ...assigned, claimedBy: BEN };
  expect(reminderFor(ME, [toBen], NOW).rings).toBe(false);
});

it('skips viewers and people who are offline, except for their own chats', () => {
  const viewer = { ...ME, sites: [{ ...OAK, role: 'viewer' as const }] };
  expect(reminderFor(viewer, [waiting(90)], NOW).rings).toBe(false);
  const off = { ...ME, user: { ...ANA, available: false } };
  expect(reminderFor(off, [waiting(90)], NOW).rings).toBe(false);
  expect(isRelevant(off, OAK._id, waiting(0, { status: 'active', claimedBy: ANA }), NOW)).toBe(true);
});

it.each([
  ['its members at once', ORDERS, 20, 20, [true, false]],
  ['members again when it comes to them late', ORDERS, 3_600, 20, [true, false]],
  ['everybody when others may help', ORDERS, 310, 310, [false, true]],
  ['nobody when all have heard it', ORDERS, 900, 900, [false, false]],
  ['its members alone where others never help', { ...ORDERS, helpAfterMinutes: null }, 100, 9_000, [true, false]],
  ['everybody where it has no members', { ...ORDERS, members: [] }, 20, 20, [true, true]],
])('rings for a chat of a department: %s', (_, department, written, since, expected) => {
  const chat = waiting(written, { department: { _id: ORDERS._id, name: 'Orders', since: ago(since) } });
  const rings = [ANA, makeUser({ available: true })].map(
    (user) => reminderFor({ ...ME, user, departments: [department] }, [chat], NOW).rings,
  );
  expect(rings).toEqual(expected);
});
