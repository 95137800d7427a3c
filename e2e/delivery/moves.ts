import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './chance.ts';
import type { Direction, Mishap } from './line.ts';
import type { Agent, Party } from './party.ts';
import type { World } from './world.ts';

/** Chats that a member has open at a time. */
const SHOWN_MAX = 3;
const TABS_MAX = 3;
const LAG_MAX_MS = 120;
/** Between two moves: less than most things take, so that they meet. */
const PAUSE_MAX_MS = 8;

/** How often each move is made, of all of them together. */
const MOVES = {
  visitorSends: 36,
  agentSends: 24,
  agentLooks: 8,
  lose: 8,
  double: 8,
  delay: 6,
  cut: 5,
  deafen: 1,
  reload: 3,
  openTab: 2,
  shutTab: 2,
  claim: 4,
  close: 2,
  comeAndGo: 1,
} as const;

type Move = keyof typeof MOVES;

/** Makes random moves in a world. */
export interface Player {
  play(steps: number): Promise<void>;
  /** Whoever was put out of the team is back in it. */
  end(): Promise<void>;
  counts: Partial<Record<Move, number>>;
}

/** @param chance decides everything but how fast things happen */
export function createPlayer(world: World, chance: Chance): Player {
  const { visitors, agents, guest, site, owner, api } = world;
  const deck = Object.entries(MOVES).flatMap(([move, weight]) => Array<Move>(weight).fill(move as Move));
  const counts: Player['counts'] = {};
  let said = 0;
  /** What the guest has heard until he was put out, and what was said since. */
  let away: { heard: number; said: string[] } | null = null;

  const anybody = () => chance.any(world.everybody());
  const anyTab = (party: Party | undefined) => chance.any(party?.tabs ?? []);
  const line = () => anyTab(anybody())?.line;
  const befall = (mishap: Mishap) => line()?.befall(chance.one<Direction>(['up', 'down']), mishap);
  const shown = new Map<Agent, string[]>();

  function write(party: Party, send: (content: string) => unknown): void {
    const content = `${party.site} ${party.name} #${++said}`;
    if (send(content) === false) return;
    party.wrote.push(content);
    away?.said.push(content);
  }

  function look(agent: Agent | undefined): void {
    const all = visitors
      .filter((one) => one.site === agent?.site)
      .flatMap(({ tabs }) => tabs.map((tab) => tab.page.face.chat()?._id));
    const ids = [...new Set(all.filter((id) => id !== undefined))];
    while (ids.length > SHOWN_MAX) ids.splice(chance.below(ids.length), 1);
    if (!agent) return;
    shown.set(agent, ids);
    for (const { page } of agent.tabs) page.face.show(ids);
  }

  function ask(what: 'claim' | 'close'): void {
    const agent = chance.any(agents);
    const chatId = agent && chance.any(shown.get(agent) ?? []);
    if (agent && chatId !== undefined) void chance.any(agent.tabs)?.page.face[what](chatId);
  }

  function open(party: Party): void {
    party.open();
    for (const agent of agents) if (agent === party) look(agent);
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

  const moves: Record<Move, () => void | Promise<void>> = {
    visitorSends() {
      const visitor = chance.any(visitors);
      const tab = chance.any(visitor?.tabs ?? []);
      if (visitor && tab) write(visitor, tab.page.face.send);
    },
    agentSends() {
      const agent = chance.any(agents);
      const chatId = agent && chance.any(shown.get(agent) ?? []);
      const tab = chance.any(agent?.tabs ?? []);
      if (agent && tab && chatId !== undefined) write(agent, (content) => tab.page.face.send(chatId, content));
    },
    agentLooks: () => look(chance.any(agents)),
    lose: () => befall('lost'),
    double: () => befall('doubled'),
    delay: () => line()?.setLag(chance.below(LAG_MAX_MS)),
    cut: () => line()?.cut(),
    deafen: () => line()?.deafen(),
    reload() {
      const party = anybody();
      const tab = anyTab(party);
      if (!party || !tab) return;
      open(party);
      party.shut(tab);
    },
    openTab() {
      const party = anybody();
      if (party && party.tabs.length < TABS_MAX) open(party);
    },
    shutTab() {
      const party = anybody();
      const tab = anyTab(party);
      if (party && tab && party.tabs.length > 1) party.shut(tab);
    },
    claim: () => ask('claim'),
    close() {
      if (chance.below(2) === 0) ask('close');
      else void chance.any(chance.any(visitors)?.tabs ?? [])?.page.face.close();
    },
    comeAndGo,
  };

  return {
    counts,
    async play(steps) {
      for (let step = 0; step < steps; step++) {
        const move = chance.any(deck) ?? 'visitorSends';
        counts[move] = (counts[move] ?? 0) + 1;
        await moves[move]();
        await sleep(chance.below(PAUSE_MAX_MS));
      }
    },
    async end() {
      if (away) await comeAndGo();
    },
  };
}
