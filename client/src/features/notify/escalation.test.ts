import { expect, it } from 'vitest';
import { makeChat, makeSite, makeUser } from '../../../test/make.ts';
import { isRelevant, reminderFor } from './escalation.ts';

const NOW = Date.parse('2026-01-05T09:00:00.000Z');
const ANA = makeUser({ available: true });
const OAK = makeSite({ role: 'agent' });
const ME = { user: ANA, sites: [OAK] };
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
  const viewer = { user: ANA, sites: [{ ...OAK, role: 'viewer' as const }] };
  expect(reminderFor(viewer, [waiting(90)], NOW).rings).toBe(false);
  const off = { ...ME, user: { ...ANA, available: false } };
  expect(reminderFor(off, [waiting(90)], NOW).rings).toBe(false);
  expect(isRelevant(off, OAK._id, waiting(0, { status: 'active', claimedBy: ANA }))).toBe(true);
});
