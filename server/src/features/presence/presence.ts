import { type Events, events } from '#platform/events';
import './events.ts';
import type { PresenceReport } from './events.ts';
import type { AgentParty, Party, VisitingParty } from './party.ts';

/** Interval of the look at agents who may have become away, in milliseconds; there is none while nobody can. */
const AWAY_CHECK_MS = 1_000;

/** An online visitor, and since when in milliseconds. */
export interface Visiting {
  visitorId: string;
  since: number;
}

/** Who is online. Sockets are counted for each person; a lost connection still counts for a grace period. */
export interface Presence {
  /**
   * @param awayAfterMs after how long without input the agent is away; 0: never. Such an agent is away until the dashboard
   *   has reported input: a connection may be restored while nobody is there.
   */
  agentArrived(userId: string, available: boolean, awayAfterMs?: number): void;
  agentLeft(userId: string): void;
  /** The agent was online when the server stopped: that counts like a connection that is lost now. */
  agentWasOnline(userId: string, awayAfterMs: number): void;
  /** Sets whether the agent takes chats. */
  setAvailable(userId: string, available: boolean): void;
  /** There was input on one of the agent's dashboards, `idleMs` ago. */
  agentActive(userId: string, idleMs: number): void;
  /** Whether the agent would be online, but for the missing input. */
  agentIsAway(userId: string): boolean;
  /** Whether the agent is online: connected, available and not away. */
  agentIsOnline(userId: string): boolean;
  /**
   * Whether a dashboard of the agent is connected right now, without the grace period and whether or not the agent is
   * available.
   */
  agentIsConnected(userId: string): boolean;
  /** The ids of all agents who are online. */
  agentsOnline(): string[];
  visitorArrived(visitorId: string, siteId: string): void;
  visitorLeft(visitorId: string): void;
  visitorIsOnline(visitorId: string): boolean;
  /** All visitors who are online on a site. */
  visitorsOn(siteId: string): Visiting[];
  /** Clears everything without emitting events. */
  stop(): void;
}

/**
 * Presence on this node and on all others. Each node reports its own people to the others; every node applies the grace
 * period and emits the events about them by itself.
 * @param graceMs how long a lost connection still counts, in milliseconds
 * @param node the id of this node
 * @param now the clock, in milliseconds
 */
export function createPresence({
  graceMs,
  node = '',
  now = Date.now,
}: {
  graceMs: number;
  node?: string;
  now?: () => number;
}): Presence {
  const agents = new Map<string, AgentParty>();
  const visitors = new Map<string, VisitingParty>();
  /** The ids of the visitors by their site. */
  const visitorsBySite = new Map<string, Set<string>>();
  /** The people of the other nodes. */
  const others = new Map<string, { agents: Set<string>; visitors: Set<string> }>();

  const isThere = (party: Party | undefined) => party?.available === true;
  const emitAgentChanged = (userId: string, online: boolean, away = false) =>
    void events.emit('agentChanged', { userId, online, away });
  const emitVisitorChanged = (visitorId: string, online: boolean, { siteId }: VisitingParty) =>
    void events.emit('visitorChanged', { visitorId, siteId, online });
  const reportToNodes = (people: Partial<PresenceReport>, isWhole = false) =>
    events.emitElsewhere('presenceReported', { node, isWhole, agents: {}, visitors: {}, ...people });

  function arrive<Who extends Party>(
    parties: Map<string, Who>,
    id: string,
    newParty: Who,
    changed: (id: string, online: boolean, party: Who) => void,
  ): Who {
    const party = parties.get(id);
    if (!party) {
      parties.set(id, newParty);
      if (newParty.available) changed(id, true, newParty);
      return newParty;
    }
    clearTimeout(party.leaving);
    party.leaving = undefined;
    party.sockets++;
    return party;
  }

  function leave<Who extends Party>(parties: Map<string, Who>, id: string, gone: (party: Who) => void): void {
    const party = parties.get(id);
    if (!party || --party.sockets > 0) return;
    party.leaving = setTimeout(() => {
      parties.delete(id);
      gone(party);
    }, graceMs);
    party.leaving.unref();
  }

  function agentComes(userId: string, isWanted: boolean, awayAfterMs = 0): AgentParty {
    const activeAt = Number.NEGATIVE_INFINITY;
    const available = isWanted && awayAfterMs === 0;
    const newAgent = { sockets: 1, ownSockets: 0, available, isWanted, awayAfterMs, activeAt };
    watchAway();
    return arrive(agents, userId, newAgent, (id, online) => emitAgentChanged(id, online));
  }
  const agentLeaves = (userId: string) =>
    leave(agents, userId, ({ available }) => {
      if (available) emitAgentChanged(userId, false);
      void events.emit('agentGone', { userId });
    });
  function visitorComes(visitorId: string, siteId: string, since: number): VisitingParty {
    visitorsBySite.set(siteId, (visitorsBySite.get(siteId) ?? new Set()).add(visitorId));
    return arrive(
      visitors,
      visitorId,
      { sockets: 1, ownSockets: 0, available: true, siteId, since },
      emitVisitorChanged,
    );
  }
  const visitorLeaves = (visitorId: string) =>
    leave(visitors, visitorId, (party) => {
      const there = visitorsBySite.get(party.siteId);
      if (there?.delete(visitorId) && there.size === 0) visitorsBySite.delete(party.siteId);
      emitVisitorChanged(visitorId, false, party);
    });

  const isAway = ({ awayAfterMs, activeAt }: AgentParty) => awayAfterMs > 0 && now() - activeAt >= awayAfterMs;

  /** Changes what is known of an agent, and emits what follows from it. */
  function change(userId: string, changes: (party: AgentParty) => void = () => {}): void {
    const party = agents.get(userId);
    if (!party) return;
    changes(party);
    const away = isAway(party);
    const available = party.isWanted && !away;
    if (party.available === available) return;
    party.available = available;
    emitAgentChanged(userId, available, party.isWanted && away);
  }

  const switchTo = (userId: string, available: boolean) =>
    change(userId, (party) => {
      party.isWanted = available;
    });
  const heardInput = (userId: string, idleMs: number) =>
    change(userId, (party) => {
      party.activeAt = Math.max(party.activeAt, now() - idleMs);
    });
  const chooseAutoAway = (userId: string, awayAfterMs: number) =>
    change(userId, (party) => {
      party.awayAfterMs = awayAfterMs;
      watchAway();
    });

  let awayCheck: NodeJS.Timeout | undefined;
  /** Looks for agents who became away, as long as there is anybody who can. */
  function watchAway(): void {
    awayCheck ??= setInterval(() => {
      if ([...agents.values()].every(({ awayAfterMs }) => awayAfterMs === 0)) {
        clearInterval(awayCheck);
        awayCheck = undefined;
      } else for (const userId of agents.keys()) change(userId);
    }, AWAY_CHECK_MS).unref();
  }

  function applyReport({ node: from, isWhole, ...reported }: Events['presenceReported']): void {
    const there = others.get(from) ?? { agents: new Set(), visitors: new Set() };
    others.set(from, there);
    if (isWhole) {
      for (const id of there.agents) reported.agents[id] ??= null;
      for (const id of there.visitors) reported.visitors[id] ??= null;
    }
    for (const [id, available] of Object.entries(reported.agents)) {
      if (available === null) {
        if (there.agents.delete(id)) agentLeaves(id);
        continue;
      }
      const [awayAfterMs = 0, idleMs = null] = reported.idle?.[id] ?? [];
      if (!there.agents.has(id)) agentComes(id, available, awayAfterMs);
      there.agents.add(id);
      switchTo(id, available);
      if (idleMs !== null) heardInput(id, idleMs);
    }
    for (const [id, visit] of Object.entries(reported.visitors)) {
      if (visit === null) {
        if (there.visitors.delete(id)) visitorLeaves(id);
      } else if (!there.visitors.has(id)) {
        there.visitors.add(id);
        visitorComes(id, ...visit);
      }
    }
  }

  function reportOf(ownParties: [string, AgentParty][]): Pick<PresenceReport, 'agents' | 'idle'> {
    const idle = (activeAt: number) => (Number.isFinite(activeAt) ? now() - activeAt : null);
    const ofThese = ownParties.filter(([, { awayAfterMs }]) => awayAfterMs > 0);
    return {
      agents: Object.fromEntries(ownParties.map(([id, { isWanted }]) => [id, isWanted])),
      idle: Object.fromEntries(ofThese.map(([id, party]) => [id, [party.awayAfterMs, idle(party.activeAt)]])),
    };
  }

  function reportAll(): void {
    const ownParties = <Who extends Party>(parties: Map<string, Who>) =>
      [...parties].filter(([, party]) => party.ownSockets > 0);
    reportToNodes(
      {
        ...reportOf(ownParties(agents)),
        visitors: Object.fromEntries(ownParties(visitors).map(([id, { siteId, since }]) => [id, [siteId, since]])),
      },
      true,
    );
  }

  const stopListening = events.stopAll([
    events.everywhere('presenceReported', applyReport),
    events.everywhere('agentActive', ({ userId, idleMs }) => heardInput(userId, idleMs)),
    events.everywhere('autoAwayChosen', ({ userId, awayAfterMs }) => {
      // Who chooses is there.
      heardInput(userId, 0);
      chooseAutoAway(userId, awayAfterMs);
    }),
    events.everywhere('nodeCame', reportAll),
    events.everywhere('listAsked', ({ of }) => {
      if (of === node) reportAll();
    }),
    events.everywhere('nodeGone', ({ node: gone }) => {
      applyReport({ node: gone, isWhole: true, agents: {}, visitors: {} });
      others.delete(gone);
    }),
  ]);

  return {
    agentArrived(userId, available, awayAfterMs) {
      const party = agentComes(userId, available, awayAfterMs);
      if (party.ownSockets++ === 0) reportToNodes(reportOf([[userId, party]]));
    },
    agentLeft(userId) {
      const party = agents.get(userId);
      if (party && --party.ownSockets === 0) reportToNodes({ agents: { [userId]: null } });
      agentLeaves(userId);
    },
    agentWasOnline(userId, awayAfterMs) {
      if (agents.has(userId)) return;
      agents.set(userId, { sockets: 1, ownSockets: 0, available: true, isWanted: true, awayAfterMs, activeAt: now() });
      watchAway();
      agentLeaves(userId);
    },
    setAvailable(userId, available) {
      switchTo(userId, available);
      const party = agents.get(userId);
      if (party && party.ownSockets > 0) reportToNodes(reportOf([[userId, party]]));
    },
    agentActive: (userId, idleMs) => void events.emit('agentActive', { userId, idleMs }),
    agentIsAway(userId) {
      const party = agents.get(userId);
      return party ? party.isWanted && isAway(party) : false;
    },
    agentIsOnline: (userId) => isThere(agents.get(userId)),
    agentIsConnected: (userId) => (agents.get(userId)?.sockets ?? 0) > 0,
    agentsOnline: () => [...agents].flatMap(([userId, party]) => (party.available ? [userId] : [])),
    visitorArrived(visitorId, siteId) {
      const party = visitorComes(visitorId, siteId, now());
      if (party.ownSockets++ === 0) reportToNodes({ visitors: { [visitorId]: [siteId, party.since] } });
    },
    visitorLeft(visitorId) {
      const party = visitors.get(visitorId);
      if (party && --party.ownSockets === 0) reportToNodes({ visitors: { [visitorId]: null } });
      visitorLeaves(visitorId);
    },
    visitorIsOnline: (visitorId) => isThere(visitors.get(visitorId)),
    visitorsOn: (siteId) =>
      [...(visitorsBySite.get(siteId) ?? [])].map((visitorId) => ({
        visitorId,
        since: visitors.get(visitorId)?.since ?? 0,
      })),
    stop() {
      stopListening();
      clearInterval(awayCheck);
      for (const party of [...agents.values(), ...visitors.values()]) clearTimeout(party.leaving);
      agents.clear();
      visitors.clear();
      visitorsBySite.clear();
    },
  };
}
