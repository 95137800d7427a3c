import { expect, vi } from 'vitest';
import { inDatabase } from '../harness/crowd.ts';
import type { Face, Held, Own } from './face.ts';
import type { Party, Tab } from './party.ts';
import type { World } from './world.ts';

/** How long everything may take to be right once every line is good again. */
const QUIET_TIMEOUT_MS = 300_000;
const POLL_MS = 100;

/** A message as it is stored, by names instead of ids of objects. */
interface Stored extends Held {
  senderKey: string;
}

interface StoredChat {
  _id: string;
  visitor: string;
  lastSeq: number;
  receipts: Record<'visitor' | 'staff', { delivered: number; read: number }>;
}

/** All that is stored: chats in the order of their beginnings, messages in the order of their chats. */
interface Truth {
  chats: StoredChat[];
  messages: Stored[];
}

/** Makes every line good, and waits until everybody has sent all and sees what is stored. Throws what is still wrong. */
export async function settle(world: World): Promise<Truth> {
  const everybody = world.everybody();
  for (const { line } of everybody.flatMap(({ tabs }) => tabs)) line.heal();
  // Lost reports are told again with the next connection.
  for (const { line } of everybody.flatMap(({ tabs }) => tabs)) line.cut();
  const options = { timeout: QUIET_TIMEOUT_MS, interval: POLL_MS };
  await vi.waitFor(() => {
    for (const party of everybody) {
      const lost = party.tabs.filter(({ page }) => !page.face.connected() || page.face.waiting() > 0);
      expect(lost.map(({ page }) => [party.name, page.face.connected(), page.face.waiting()])).toEqual([]);
    }
  }, options);
  return vi.waitFor(async () => {
    const truth = await readTruth(world);
    const chats = truth.chats.map(({ _id }) => _id);
    for (const { tabs, site } of world.agents) if (site === 'A') for (const { page } of tabs) page.face.show(chats);
    checkStored(truth, everybody);
    for (const party of everybody) for (const tab of party.tabs) checkView(truth, party, tab);
    return truth;
  }, options);
}

/** What must be true of all that ever happened. */
export function checkHistory(world: World): void {
  const [site, foreign] = [world.site._id, world.foreignSite._id];
  for (const party of world.everybody()) {
    expect(party.backwards).toEqual([]);
    const [strange, mark] = party.site === 'A' ? [foreign, '"B '] : [site, '"A '];
    expect(party.heard().filter((packet) => packet.includes(strange) || packet.includes(mark))).toEqual([]);
  }
}

async function readTruth(world: World): Promise<Truth> {
  return inDatabase(world, async (db) => {
    const all = await db.collection('chats').find().sort({ _id: 1 }).toArray();
    const chats = all.map((chat) => ({ ...chat, _id: String(chat._id), visitor: String(chat.visitor) }) as StoredChat);
    const messages = await db.collection('messages').find().sort({ chat: 1, seq: 1 }).toArray();
    const place = new Map(chats.map(({ _id }, index) => [_id, index]));
    const stored = messages.map(({ chat, seq, clientId, content, senderKey }) => ({
      ...{ chatId: String(chat), seq, clientId, content, senderKey },
    }));
    stored.sort((a, b) => (place.get(a.chatId) ?? 0) - (place.get(b.chatId) ?? 0) || a.seq - b.seq);
    return { chats, messages: stored };
  });
}

function checkStored({ chats, messages }: Truth, everybody: readonly Party[]): void {
  for (const { _id, lastSeq } of chats) {
    const seqs = messages.filter(({ chatId }) => chatId === _id).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    expect(lastSeq).toBe(seqs.length);
  }
  const names = messages.map(({ senderKey, clientId }) => `${senderKey} ${clientId}`);
  expect(new Set(names).size).toBe(names.length);
  const said = messages.map(({ content }) => content);
  for (const party of everybody) {
    const mine = new Set(party.wrote);
    const kept = said.filter((content) => mine.has(content));
    expect(kept).toHaveLength(new Set(kept).size);
    expect([...party.shownStored].filter((content) => !kept.includes(content))).toEqual([]);
    const failed = new Set(party.tabs.flatMap(({ page }) => page.face.failed()));
    expect(party.wrote.filter((content) => !kept.includes(content) && !failed.has(content))).toEqual([]);
    checkOrder(party, messages);
  }
}

/** Each chat holds what somebody wrote in the order of writing. */
function checkOrder({ wrote }: Party, messages: readonly Stored[]): void {
  const place = new Map(wrote.map((content, index) => [content, index]));
  const last = new Map<string, number>();
  for (const { chatId, content } of messages) {
    const index = place.get(content);
    if (index === undefined) continue;
    expect(index, `${content} after ${wrote[last.get(chatId) ?? -1]}`).toBeGreaterThan(last.get(chatId) ?? -1);
    last.set(chatId, index);
  }
}

function checkView({ chats, messages }: Truth, party: Party, { page: { face } }: Tab<Face>): void {
  const held = face.held();
  for (const part of threadsOf(held, party)) {
    const [first] = part;
    const from = messages.findIndex(({ chatId, seq }) => chatId === first?.chatId && seq === first.seq);
    const visitor = chats.find(({ _id }) => _id === first?.chatId)?.visitor;
    const its = new Set(chats.filter((chat) => chat.visitor === visitor).map(({ _id }) => _id));
    const expected = messages
      .slice(from)
      .filter(({ chatId }) => (isVisitor(party) ? its.has(chatId) : chatId === first?.chatId));
    expect(part, party.name).toEqual(expected.map(({ senderKey: _, ...message }) => message));
  }
  checkProgress({ chats, messages }, party, { own: face.own(), newest: held.at(-1)?.chatId });
}

/** A visitor holds one conversation through all chats, a member each chat by itself. */
function threadsOf(held: readonly Held[], party: Party): Held[][] {
  if (isVisitor(party)) return held.length > 0 ? [[...held]] : [];
  const ids = [...new Set(held.map(({ chatId }) => chatId))];
  return ids.map((id) => held.filter(({ chatId }) => chatId === id));
}

/** Of earlier chats a visitor's page is told nothing new. */
function checkProgress(
  { chats, messages }: Truth,
  party: Party,
  { own, newest }: { own: readonly Own[]; newest: string | undefined },
): void {
  const other = isVisitor(party) ? 'staff' : 'visitor';
  for (const { content, progress } of own.filter((one) => one.progress !== 'failed')) {
    const message = messages.find((one) => one.content === content);
    if (isVisitor(party) && message?.chatId !== newest) continue;
    const receipt = chats.find(({ _id }) => _id === message?.chatId)?.receipts[other];
    const seq = message?.seq ?? 0;
    const real = seq <= (receipt?.read ?? 0) ? 'read' : seq <= (receipt?.delivered ?? 0) ? 'delivered' : 'sent';
    expect({ content, progress }, party.name).toEqual({ content, progress: real });
  }
}

const isVisitor = ({ name }: Party) => name.startsWith('v');
