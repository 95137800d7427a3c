import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, Participant } from './participants.ts';
import { checkHistory, settle } from './verify.ts';
import type { Direction, Fault } from './websocket.ts';
import type { World } from './world.ts';

/** Chats that a member has open at a time. */
const SHOWN_MAX = 3;
const TABS_MAX = 3;
const LAG_MAX_MS = 120;
/** The pause between two actions: shorter than most calls take, so that actions overlap. */
const PAUSE_MAX_MS = 8;

/** The relative frequency of each action. */
const ACTIONS = {
  visitorSends: 36,
  agentSends: 24,
  agentLooks: 8,
  lose: 8,
  double: 8,
  delay: 6,
  cut: 5,
  swallowAnswers: 1,
  reload: 3,
  openTab: 2,
  shutTab: 2,
  claim: 4,
  close: 2,
  comeAndGo: 1,
} as const;

type Action = keyof typeof ACTIONS;

/** Makes random actions in a world. */
interface Player {
  play(steps: number): Promise<void>;
  /** Brings the guest back into the team. */
  end(): Promise<void>;
  counts: Partial<Record<Action, number>>;
}

/** @param random decides everything except the timing */
function createPlayer(world: World, random: SeededRandom): Player {
  const { visitors, agents, guest, site, owner, api } = world;
  const deck = Object.entries(ACTIONS).flatMap(([action, weight]) => Array<Action>(weight).fill(action as Action));
  const counts: Player['counts'] = {};
  let said = 0;
  /** While the guest is out of the team: what he had received until then, and what was written since. */
  let away: { heard: number; said: string[] } | null = null;

  const anybody = () => random.any(world.everybody());
  const anyTab = (participant: Participant | undefined) => random.any(participant?.tabs ?? []);
  const network = () => anyTab(anybody())?.network;
  const injectFault = (fault: Fault) => network()?.injectFault(random.one<Direction>(['up', 'down']), fault);
  const shown = new Map<Agent, string[]>();

  function write(participant: Participant, send: (content: string) => unknown): void {
    const content = `${participant.site} ${participant.name} #${++said}`;
    if (send(content) === false) return;
    participant.wrote.push(content);
    away?.said.push(content);
  }

  function look(agent: Agent | undefined): void {
    const all = visitors
      .filter((one) => one.site === agent?.site)
      .flatMap(({ tabs }) => tabs.map((tab) => tab.page.app.chat()?._id));
    const ids = [...new Set(all.filter((id) => id !== undefined))];
    while (ids.length > SHOWN_MAX) ids.splice(random.below(ids.length), 1);
    if (!agent) return;
    shown.set(agent, ids);
    for (const { page } of agent.tabs) page.app.show(ids);
  }

  function ask(what: 'claim' | 'close'): void {
    const agent = random.any(agents);
    const chatId = agent && random.any(shown.get(agent) ?? []);
    if (agent && chatId !== undefined) void random.any(agent.tabs)?.page.app[what](chatId);
  }

  function open(participant: Participant): void {
    participant.open();
    for (const agent of agents) if (agent === participant) look(agent);
  }

  async function comeAndGo(): Promise<void> {
    const { token } = owner;
    const { user } = guest.account;
    if (!away) {
      await api('DELETE /team/members/:id', { token, params: { id: user._id }, body: { siteId: site._id } });
      away = { heard: guest.agent.heard().length, said: [] };
      return;
    }
    const leaked = new Set(away.said);
    for (const packet of guest.agent.heard().slice(away.heard))
      for (const content of leaked)
        if (packet.includes(JSON.stringify(content))) throw new Error(`${guest.agent.name} still heard ${content}`);
    away = null;
    const body = { email: user.email, role: 'agent' as const, siteId: site._id };
    const { invite } = await api('POST /team/invites', { token, body });
    await api('POST /invites/:inviteId/accept', { token: guest.account.token, params: { inviteId: invite._id } });
  }

  const actions: Record<Action, () => void | Promise<void>> = {
    visitorSends() {
      const visitor = random.any(visitors);
      const tab = random.any(visitor?.tabs ?? []);
      if (visitor && tab) write(visitor, tab.page.app.send);
    },
    agentSends() {
      const agent = random.any(agents);
      const chatId = agent && random.any(shown.get(agent) ?? []);
      const tab = random.any(agent?.tabs ?? []);
      if (agent && tab && chatId !== undefined) write(agent, (content) => tab.page.app.send(chatId, content));
    },
    agentLooks: () => look(random.any(agents)),
    lose: () => injectFault('lost'),
    double: () => injectFault('doubled'),
    delay: () => network()?.setLag(random.below(LAG_MAX_MS)),
    cut: () => network()?.cut(),
    swallowAnswers: () => network()?.swallowAnswers(),
    reload() {
      const participant = anybody();
      const tab = anyTab(participant);
      if (!participant || !tab) return;
      open(participant);
      participant.shut(tab);
    },
    openTab() {
      const participant = anybody();
      if (participant && participant.tabs.length < TABS_MAX) open(participant);
    },
    shutTab() {
      const participant = anybody();
      const tab = anyTab(participant);
      if (participant && tab && participant.tabs.length > 1) participant.shut(tab);
    },
    claim: () => ask('claim'),
    close() {
      if (random.below(2) === 0) ask('close');
      else void random.any(random.any(visitors)?.tabs ?? [])?.page.app.close();
    },
    comeAndGo,
  };

  return {
    counts,
    async play(steps) {
      for (let step = 0; step < steps; step++) {
        const action = random.any(deck) ?? 'visitorSends';
        counts[action] = (counts[action] ?? 0) + 1;
        await actions[action]();
        await sleep(random.below(PAUSE_MAX_MS));
      }
    },
    async end() {
      if (away) await comeAndGo();
    },
  };
}

/** What a random history consists of. */
interface HistoryOptions {
  seed: number;
  steps: number;
  /** How often the server is killed, and how often it is restarted normally. */
  kills: number;
  restarts: number;
}

/** Runs random actions, and stops the server in between. Throws unless everything is right at the end. @returns a summary */
export async function playHistory(world: World, { seed, steps, kills, restarts }: HistoryOptions): Promise<string> {
  const random = createSeededRandom(seed);
  const player = createPlayer(world, random);
  const ends = [...Array<'kill'>(kills).fill('kill'), ...Array<'restart'>(restarts).fill('restart')];
  const stretch = Math.ceil(steps / (ends.length + 1));
  for (let at = 0; at < steps; at += stretch) {
    await player.play(Math.min(stretch, steps - at));
    const [end] = ends.splice(random.below(ends.length), 1);
    if (end === 'kill') await world.parley.kill9();
    if (end) await world.parley.restart();
  }
  await player.end();
  const { messages, chats } = await settle(world);
  checkHistory(world);
  return `${messages.length} messages in ${chats.length} chats; ${JSON.stringify(player.counts)}`;
}

/** Random decisions that a seed makes repeatable. */
interface SeededRandom {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of the items. */
  one<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of the items; undefined: there is none. */
  any<Item>(items: readonly Item[]): Item | undefined;
}

/** Mulberry32 (Tommy Ettinger, public domain): small, and random enough for tests. */
function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    one: (items) => items[below(items.length)] ?? items[0],
    any: (items) => items[below(items.length)],
  };
}
