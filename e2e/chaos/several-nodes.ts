import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { type Conversation, startConversation } from '../delivery/conversation.ts';
import { createWorld, type World } from '../delivery/world.ts';
import { type Cluster, type Node, startCluster } from '../harness/cluster.ts';
import { inDatabase } from '../harness/database.ts';
import { reportResult } from './report.ts';

const VISITORS = 4;
const WRITE_EVERY_MS = 500;
const LOOK_EVERY_MS = 20;
const TIMEOUT_MS = 300_000;

/** The people of a shop, who talk through several nodes behind a proxy. Their clocks run at the usual speed. */
export interface NodesTrial {
  cluster: Cluster;
  world: World;
  conversation: Conversation;
  /** Everybody writes twice a second. @returns a function that ends it */
  writeOn(): () => void;
  /** Each visitor writes once, so that every claimer is awaited. */
  ask(): void;
  /** The agents write once into each chat, while the visitors wait. */
  answer(): void;
  /** Waits until everybody is connected. @returns after how many seconds they are */
  untilConnected(): Promise<number>;
  /** Waits until all that is written by now is on every page that should show it. @returns after how many seconds it is */
  untilSeen(): Promise<number>;
  /** The leases of a node. */
  leasesOf(node: Node): Promise<{ owner: string; names: string[] }>;
  /** Waits until no lease belongs to this owner. @returns after how many seconds */
  untilTakenFrom(owner: string): Promise<number>;
  /** Waits for quiet, throws unless all is right, ends everything and prints the result. */
  report(fault: string, figures: string[]): Promise<void>;
}

/**
 * Starts so many nodes, and a conversation of which some chats are claimed.
 * @param env settings of the nodes
 * @param former the code and build of the release that the nodes are of, until they are restarted, and half of the pages
 */
export async function tryNodes(
  count: number,
  { env = {}, former }: { env?: Record<string, string>; former?: string } = {},
): Promise<NodesTrial> {
  const cluster = await startCluster(count, { env, ...(former && { main: join(former, 'server/dist/main.js') }) });
  onTestFinished(() => end(cluster));
  const world = await createWorld({ visitors: VISITORS, running: asOne(cluster), pace: 1, former });
  const conversation = await startConversation(world);
  // Whoever answers a chat has claimed it.
  conversation.burst(1);
  await vi.waitFor(() => expect(conversation.waiting()).toBe(0), TIMEOUT_MS);
  const claims = await claimsIn(world);
  const away = watchLines(conversation);

  return {
    cluster,
    world,
    conversation,
    writeOn() {
      const timer = setInterval(() => conversation.burst(1), WRITE_EVERY_MS);
      return () => clearInterval(timer);
    },
    ask() {
      for (const visitor of conversation.visitors) {
        const content = `A ${visitor.name} asks ${visitor.wrote.length}`;
        visitor.wrote.push(content);
        visitor.tabs[0]?.page.app.send(content);
      }
    },
    answer() {
      for (const agent of conversation.agents)
        for (const [i, chatId] of conversation.chats.entries()) {
          const content = `A ${agent.name} answers ${agent.wrote.length} ${i}`;
          agent.wrote.push(content);
          agent.tabs[0]?.page.app.send(chatId, content);
        }
    },
    untilConnected: () =>
      seconds(() => expect(conversation.tabs().every(({ page }) => page.app.connected())).toBe(true)),
    untilSeen() {
      const written = conversation.everybody.flatMap(({ wrote }) => wrote);
      return seconds(() => expect(missingOf(conversation, written)).toEqual([]));
    },
    async leasesOf({ port }) {
      return inDatabase(world, async (db) => {
        const nodes = await db.collection('nodes').find().sort({ at: -1 }).toArray();
        const owner = String(nodes.find(({ address }) => address.endsWith(`:${port}`))?._id);
        const leases = await db.collection('leases').find({ owner }).toArray();
        return { owner, names: leases.map(({ _id }) => String(_id)) };
      });
    },
    untilTakenFrom: (owner) =>
      seconds(async () => {
        const left = await inDatabase(world, (db) =>
          db.collection<{ owner: string }>('leases').countDocuments({ owner }),
        );
        expect(left).toBe(0);
      }),
    async report(fault, figures) {
      const lines = away();
      await reportResult(world, fault, [...figures, `lines away ${summary(lines)}`], async () => {
        const now = await claimsIn(world);
        expect(now).toMatchObject(claims);
        const offline = world
          .everybody()
          .flatMap(({ heard }) => heard().filter((text) => text.includes('user_offline')));
        expect(offline, `lines away ${summary(lines)}`).toEqual([]);
      });
    },
  };
}

/** The cluster as a single server, whose store can be read. */
function asOne(cluster: Cluster) {
  const [first] = cluster.nodes;
  if (!first) throw new Error('no node');
  return {
    ...first,
    origin: cluster.origin,
    port: Number(new URL(cluster.origin).port),
    dataDir: cluster.store.dataDir,
    async stop() {
      await end(cluster);
      return { code: 0, output: '' };
    },
  };
}

/** Also what is paused must end. */
async function end(cluster: Cluster): Promise<void> {
  for (const node of cluster.nodes) node.freeze(false);
  cluster.store.freeze(false);
  await cluster.stop();
}

/** Who has claimed each chat, and from whom it was taken back. */
function claimsIn(world: World): Promise<Record<string, { claimedBy: string; passedBy: string[] }>> {
  return inDatabase(world, async (db) => {
    const chats = await db
      .collection('chats')
      .find({ claimedBy: { $ne: null } })
      .toArray();
    const claimOf = ({ _id, claimedBy, passedBy = [] }: (typeof chats)[number]) => [
      String(_id),
      { claimedBy: String(claimedBy), passedBy: passedBy.map(String) },
    ];
    return Object.fromEntries(chats.map(claimOf));
  });
}

/** What the pages do not show: an agent's shows all, and the visitors' together do. */
function missingOf({ agents, visitors }: Conversation, written: string[]): string[] {
  const said = (pages: { page: { app: { held(): { content: string }[] } } }[]) =>
    new Set(pages.flatMap(({ page }) => page.app.held().map(({ content }) => content)));
  const screens = [
    said(visitors.flatMap(({ tabs }) => tabs)),
    ...agents.flatMap(({ tabs }) => tabs.map((tab) => said([tab]))),
  ];
  return screens.flatMap((screen) => written.filter((content) => !screen.has(content)));
}

/** Watches how long pages are not connected. @returns a function that ends it and returns the milliseconds, sorted */
function watchLines(conversation: Conversation): () => number[] {
  const since = new Map<object, number>();
  const times: number[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    for (const { page } of conversation.tabs()) {
      const from = since.get(page);
      if (!page.app.connected()) since.set(page, from ?? now);
      else if (from !== undefined) {
        times.push(now - from);
        since.delete(page);
      }
    }
  }, LOOK_EVERY_MS);
  onTestFinished(() => clearInterval(timer));
  return () => {
    clearInterval(timer);
    return times;
  };
}

async function seconds(check: () => void | Promise<void>): Promise<number> {
  const from = performance.now();
  await vi.waitFor(check, { timeout: TIMEOUT_MS, interval: LOOK_EVERY_MS });
  return (performance.now() - from) / 1000;
}

/** How many, with their median and maximum in seconds. @param times in milliseconds */
export function summary(times: number[]): string {
  if (times.length === 0) return '0 ×';
  const sorted = times.toSorted((a, b) => a - b);
  const [median, worst] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
  return `${sorted.length} ×, median ${(median / 1000).toFixed(1)} s, at most ${(worst / 1000).toFixed(1)} s`;
}
