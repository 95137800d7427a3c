import { expect, vi } from 'vitest';
import type { HeadlessApp } from './headless-app.ts';
import type { Agent, Participant, Tab, Visitor } from './participants.ts';
import type { World } from './world.ts';

const TIMEOUT_MS = 300_000;

/** All people of shop A, in open chats. */
export interface Conversation {
  visitors: Visitor[];
  agents: Agent[];
  everybody: Participant[];
  chats: string[];
  /** Every page that is open. */
  tabs(): Tab<HeadlessApp>[];
  /** The number of messages in all outboxes. */
  waiting(): number;
  /** The number of messages written so far. */
  written(): number;
  /** Everybody writes this many messages, from all of their pages in turn. */
  burst(each: number): void;
}

/** Every visitor of shop A starts a chat, and its team opens all of them. */
export async function startConversation(world: World): Promise<Conversation> {
  const visitors = world.visitors.filter(({ site }) => site === 'A');
  const agents = world.agents.filter(({ site }) => site === 'A');
  const everybody: Participant[] = [...visitors, ...agents];
  const tabs = () => everybody.flatMap((participant) => participant.tabs);
  let said = 0;
  const write = (participant: Participant, send: (content: string) => void) => {
    const content = `${participant.site} ${participant.name} #${++said}`;
    participant.wrote.push(content);
    send(content);
  };
  const writeAsVisitor = (visitor: Visitor, index: number) =>
    write(visitor, (content) => visitor.tabs[index % visitor.tabs.length]?.page.app.send(content));

  for (const visitor of visitors) writeAsVisitor(visitor, 0);
  const chatsOf = () => visitors.flatMap(({ tabs }) => tabs[0]?.page.app.chat()?._id ?? []);
  await vi.waitFor(() => expect(chatsOf()).toHaveLength(visitors.length), TIMEOUT_MS);
  const chats = chatsOf();
  for (const { tabs } of agents) for (const { page } of tabs) page.app.show(chats);
  await vi.waitFor(() => {
    for (const { tabs } of agents) for (const { page } of tabs) expect(page.app.held().length).toBe(chats.length);
  }, TIMEOUT_MS);

  return {
    visitors,
    agents,
    everybody,
    chats,
    tabs,
    waiting: () => tabs().reduce((sum, { page }) => sum + page.app.waiting(), 0),
    written: () => everybody.reduce((sum, { wrote }) => sum + wrote.length, 0),
    burst(each) {
      for (let i = 0; i < each; i++) {
        for (const visitor of visitors) writeAsVisitor(visitor, i);
        for (const [index, agent] of agents.entries()) {
          const chatId = chats[(i + index) % chats.length] ?? '';
          write(agent, (content) => agent.tabs[i % agent.tabs.length]?.page.app.send(chatId, content));
        }
      }
    },
  };
}
