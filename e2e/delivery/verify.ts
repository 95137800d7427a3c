import { expect, vi } from 'vitest';
import { inDatabase } from '../harness/database.ts';
import { derivedProblems } from './derived.ts';
import type { HeadlessApp, HeldMessage, OwnMessage } from './headless-app.ts';
import type { Participant, Tab } from './participants.ts';
import type { World } from './world.ts';

/** How long everything may take to be right after the faults are removed. */
const QUIET_TIMEOUT_MS = 300_000;
const POLL_MS = 100;

/** A stored message. */
interface Stored extends HeldMessage {
  senderKey: string;
}

interface StoredChat {
  _id: string;
  visitor: string;
  bot: boolean;
  lastSeq: number;
  receipts: Record<'visitor' | 'staff', { delivered: number; read: number }>;
}

/** Everything that is stored: chats in the order of their start, messages in the order of their chats. */
interface StoredState {
  chats: StoredChat[];
  messages: Stored[];
}

/** Removes all faults, and waits until every outbox is empty and every page shows what is stored. Throws what is still wrong. */
export async function settle(world: World): Promise<StoredState> {
  const everybody = world.everybody();
  for (const { network } of everybody.flatMap(({ tabs }) => tabs)) network.heal();
  // Receipts that were lost are sent again on the next connection.
  for (const { network } of everybody.flatMap(({ tabs }) => tabs)) network.cut();
  const options = { timeout: QUIET_TIMEOUT_MS, interval: POLL_MS };
  await vi.waitFor(() => {
    for (const participant of everybody) {
      const lost = participant.tabs.filter(({ page }) => !page.app.connected() || page.app.waiting() > 0);
      expect(lost.map(({ page }) => [participant.name, page.app.connected(), page.app.waiting()])).toEqual([]);
    }
  }, options);
  return vi.waitFor(async () => {
    const state = await readState(world);
    const chats = state.chats.map(({ _id }) => _id);
    for (const { tabs, site } of world.agents) if (site === 'A') for (const { page } of tabs) page.app.show(chats);
    checkStored(state, everybody);
    for (const participant of everybody) for (const tab of participant.tabs) checkView(state, participant, tab);
    expect(await inDatabase(world, (db) => derivedProblems(db))).toEqual([]);
    return state;
  }, options);
}

/** Checks everything that happened: no state went backwards, and nothing reached another shop. */
export function checkHistory(world: World): void {
  const [site, foreign] = [world.site._id, world.foreignSite._id];
  for (const participant of world.everybody()) {
    expect(participant.backwards).toEqual([]);
    const [strange, mark] = participant.site === 'A' ? [foreign, '"B '] : [site, '"A '];
    expect(participant.heard().filter((packet) => packet.includes(strange) || packet.includes(mark))).toEqual([]);
  }
}

async function readState(world: World): Promise<StoredState> {
  return inDatabase(world, async (db) => {
    const all = await db.collection('chats').find().sort({ _id: 1 }).toArray();
    const chats = all.map((chat) => ({ ...chat, _id: String(chat._id), visitor: String(chat.visitor) }) as StoredChat);
    const messages = await db.collection('messages').find().sort({ chat: 1, seq: 1 }).toArray();
    const place = new Map(chats.map(({ _id }, index) => [_id, index]));
    const stored = messages.map(({ chat, seq, clientId, content, senderKey }) => ({
      chatId: String(chat),
      seq,
      clientId,
      content,
      senderKey,
    }));
    stored.sort((a, b) => (place.get(a.chatId) ?? 0) - (place.get(b.chatId) ?? 0) || a.seq - b.seq);
    return { chats, messages: stored };
  });
}

function checkStored({ chats, messages }: StoredState, everybody: readonly Participant[]): void {
  // The team is not told of bots, and they are neither found nor counted.
  expect(chats.filter(({ bot }) => bot)).toEqual([]);
  for (const { _id, lastSeq } of chats) {
    const seqs = messages.filter(({ chatId }) => chatId === _id).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    expect(lastSeq).toBe(seqs.length);
  }
  const names = messages.map(({ senderKey, clientId }) => `${senderKey} ${clientId}`);
  expect(new Set(names).size).toBe(names.length);
  const said = messages.map(({ content }) => content);
  for (const participant of everybody) {
    const mine = new Set(participant.wrote);
    const kept = said.filter((content) => mine.has(content));
    expect(kept).toHaveLength(new Set(kept).size);
    expect([...participant.shownStored].filter((content) => !kept.includes(content))).toEqual([]);
    const failed = new Set(participant.tabs.flatMap(({ page }) => page.app.failed()));
    expect(participant.wrote.filter((content) => !kept.includes(content) && !failed.has(content))).toEqual([]);
    checkOrder(participant, messages);
  }
}

/** In each chat, the messages of a person are in the order of writing. */
function checkOrder({ wrote }: Participant, messages: readonly Stored[]): void {
  const place = new Map(wrote.map((content, index) => [content, index]));
  const last = new Map<string, number>();
  for (const { chatId, content } of messages) {
    const index = place.get(content);
    if (index === undefined) continue;
    expect(index, `${content} after ${wrote[last.get(chatId) ?? -1]}`).toBeGreaterThan(last.get(chatId) ?? -1);
    last.set(chatId, index);
  }
}

function checkView(
  { chats, messages }: StoredState,
  participant: Participant,
  { page: { app } }: Tab<HeadlessApp>,
): void {
  const held = app.held();
  for (const part of threadsOf(held, participant)) {
    const [first] = part;
    const from = messages.findIndex(({ chatId, seq }) => chatId === first?.chatId && seq === first.seq);
    const visitor = chats.find(({ _id }) => _id === first?.chatId)?.visitor;
    const its = new Set(chats.filter((chat) => chat.visitor === visitor).map(({ _id }) => _id));
    const expected = messages
      .slice(from)
      .filter(({ chatId }) => (isVisitor(participant) ? its.has(chatId) : chatId === first?.chatId));
    expect(part, participant.name).toEqual(expected.map(({ senderKey: _, ...message }) => message));
  }
  checkProgress({ chats, messages }, participant, { own: app.own(), newest: held.at(-1)?.chatId });
}

/** A visitor's page has one list for all chats, an agent's page one for each chat. */
function threadsOf(held: readonly HeldMessage[], participant: Participant): HeldMessage[][] {
  if (isVisitor(participant)) return held.length > 0 ? [[...held]] : [];
  const ids = [...new Set(held.map(({ chatId }) => chatId))];
  return ids.map((id) => held.filter(({ chatId }) => chatId === id));
}

/** A visitor's page gets no receipts of earlier chats, so these are not compared. */
function checkProgress(
  { chats, messages }: StoredState,
  participant: Participant,
  { own, newest }: { own: readonly OwnMessage[]; newest: string | undefined },
): void {
  const other = isVisitor(participant) ? 'staff' : 'visitor';
  for (const { content, progress } of own.filter((one) => one.progress !== 'failed')) {
    const message = messages.find((one) => one.content === content);
    if (isVisitor(participant) && message?.chatId !== newest) continue;
    const receipt = chats.find(({ _id }) => _id === message?.chatId)?.receipts[other];
    const seq = message?.seq ?? 0;
    const real = seq <= (receipt?.read ?? 0) ? 'read' : seq <= (receipt?.delivered ?? 0) ? 'delivered' : 'sent';
    expect({ content, progress }, participant.name).toEqual({ content, progress: real });
  }
}

const isVisitor = ({ name }: Participant) => name.startsWith('v');
