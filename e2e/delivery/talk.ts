import { expect, vi } from 'vitest';
import type { Face } from './face.ts';
import type { Agent, Party, Tab, Visitor } from './party.ts';
import type { World } from './world.ts';

const TIMEOUT_MS = 300_000;

/** Everybody of shop A writes, all at once. */
export interface Talk {
  visitors: Visitor[];
  agents: Agent[];
  everybody: Party[];
  chats: string[];
  /** Every page that is open. */
  tabs(): Tab<Face>[];
  /** How many messages are on their way. */
  waiting(): number;
  /** How many were ever written. */
  written(): number;
  /** Each writes so many messages, wherever a page of theirs is open. */
  burst(each: number): void;
}

/** Every visitor of shop A has begun a chat, and its team has all of them open. */
export async function beginTalk(world: World): Promise<Talk> {
  const visitors = world.visitors.filter(({ site }) => site === 'A');
  const agents = world.agents.filter(({ site }) => site === 'A');
  const everybody: Party[] = [...visitors, ...agents];
  const tabs = () => everybody.flatMap((party) => party.tabs);
  let said = 0;
  const write = (party: Party, send: (content: string) => void) => {
    const content = `${party.site} ${party.name} #${++said}`;
    party.wrote.push(content);
    send(content);
  };
  const writeAsVisitor = (visitor: Visitor, index: number) =>
    write(visitor, (content) => visitor.tabs[index % visitor.tabs.length]?.page.face.send(content));

  for (const visitor of visitors) writeAsVisitor(visitor, 0);
  const chatsOf = () => visitors.flatMap(({ tabs }) => tabs[0]?.page.face.chat()?._id ?? []);
  await vi.waitFor(() => expect(chatsOf()).toHaveLength(visitors.length), TIMEOUT_MS);
  const chats = chatsOf();
  for (const { tabs } of agents) for (const { page } of tabs) page.face.show(chats);
  await vi.waitFor(() => {
    for (const { tabs } of agents) for (const { page } of tabs) expect(page.face.held().length).toBe(chats.length);
  }, TIMEOUT_MS);

  return {
    ...{ visitors, agents, everybody, chats, tabs },
    waiting: () => tabs().reduce((sum, { page }) => sum + page.face.waiting(), 0),
    written: () => everybody.reduce((sum, { wrote }) => sum + wrote.length, 0),
    burst(each) {
      for (let i = 0; i < each; i++) {
        for (const visitor of visitors) writeAsVisitor(visitor, i);
        for (const [index, agent] of agents.entries()) {
          const chatId = chats[(i + index) % chats.length] ?? '';
          write(agent, (content) => agent.tabs[i % agent.tabs.length]?.page.face.send(chatId, content));
        }
      }
    },
  };
}
