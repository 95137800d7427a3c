import { type Events, events } from '../events.ts';

declare module '../events.ts' {
  interface Events {
    /** An agent began or ceased to be online: connected and available. */
    agentChanged: { userId: string; online: boolean };
    /** An agent's last connection is gone, whether or not the agent was available. */
    agentGone: { userId: string };
    /** A visitor came or went. */
    visitorChanged: { visitorId: string; siteId: string; online: boolean };
    /** Who is connected to another node: what has changed, or (`isWhole`) everybody. */
    presenceReported: { node: string; isWhole: boolean } & PresenceReport;
  }
}

events.onEachNode('agentChanged', 'agentGone', 'visitorChanged');
events.crossesNodes('presenceReported');

/** People by id; null: no longer connected. */
interface PresenceReport {
  /** Whether the agent is available. */
  agents: Record<string, boolean | null>;
  /** The visitor's site, and since when in milliseconds. */
  visitors: Record<string, [siteId: string, since: number] | null>;
}

interface Party {
  /** Sockets of this node, and one for each other node with any. */
  sockets: number;
  /** Sockets of this node. */
  own: number;
  /** Set while the last socket is gone and the grace period is not over. */
  leaving?: NodeJS.Timeout | undefined;
  available: boolean;
}

interface VisitingParty extends Party {
  siteId: string;
  /** Milliseconds */
  since: number;
}

/** An online visitor, and since when in milliseconds. */
export interface Visiting {
  visitorId: string;
  since: number;
}

/** Who is online. Sockets are counted for each person; a lost connection still counts for a grace period. */
export interface Presence {
  agentArrived(userId: string, available: boolean): void;
  agentLeft(userId: string): void;
  /** Sets whether the agent takes chats. */
  setAvailable(userId: string, available: boolean): void;
  /** Whether the agent is online: connected and available. */
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
  const agents = new Map<string, Party>();
  const visitors = new Map<string, VisitingParty>();
  /** The people of the other nodes. */
  const others = new Map<string, { agents: Set<string>; visitors: Set<string> }>();

  const isThere = (party: Party | undefined) => party?.available === true;
  const emitAgentChanged = (userId: string, online: boolean) => void events.emit('agentChanged', { userId, online });
  const emitVisitorChanged = (visitorId: string, online: boolean, { siteId }: VisitingParty) =>
    void events.emit('visitorChanged', { visitorId, siteId, online });
  const reportToNodes = (people: Partial<PresenceReport>, isWhole = false) =>
    events.emitElsewhere('presenceReported', { node, isWhole, agents: {}, visitors: {}, ...people });

  function arrive<Who extends Party>(
    parties: Map<string, Who>,
    id: string,
    fresh: Who,
    changed: (id: string, online: boolean, party: Who) => void,
  ): Who {
    const party = parties.get(id);
    if (!party) {
      parties.set(id, fresh);
      if (fresh.available) changed(id, true, fresh);
      return fresh;
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

  const agentComes = (userId: string, available: boolean) =>
    arrive(agents, userId, { sockets: 1, own: 0, available }, emitAgentChanged);
  const agentLeaves = (userId: string) =>
    leave(agents, userId, ({ available }) => {
      if (available) emitAgentChanged(userId, false);
      void events.emit('agentGone', { userId });
    });
  const visitorComes = (visitorId: string, siteId: string, since: number) =>
    arrive(visitors, visitorId, { sockets: 1, own: 0, available: true, siteId, since }, emitVisitorChanged);
  const visitorLeaves = (visitorId: string) =>
    leave(visitors, visitorId, (party) => emitVisitorChanged(visitorId, false, party));

  function switchTo(userId: string, available: boolean): boolean {
    const party = agents.get(userId);
    if (!party || party.available === available) return false;
    party.available = available;
    emitAgentChanged(userId, available);
    return true;
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
      if (!there.agents.has(id)) agentComes(id, available);
      there.agents.add(id);
      switchTo(id, available);
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

  function reportAll(): void {
    const own = <Who extends Party>(parties: Map<string, Who>) => [...parties].filter(([, party]) => party.own > 0);
    reportToNodes(
      {
        agents: Object.fromEntries(own(agents).map(([id, { available }]) => [id, available])),
        visitors: Object.fromEntries(own(visitors).map(([id, { siteId, since }]) => [id, [siteId, since]])),
      },
      true,
    );
  }

  const stopListening = events.stopAll([
    events.everywhere('presenceReported', applyReport),
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
    agentArrived(userId, available) {
      const party = agentComes(userId, available);
      if (party.own++ === 0) reportToNodes({ agents: { [userId]: party.available } });
    },
    agentLeft(userId) {
      const party = agents.get(userId);
      if (party && --party.own === 0) reportToNodes({ agents: { [userId]: null } });
      agentLeaves(userId);
    },
    setAvailable(userId, available) {
      if (switchTo(userId, available)) reportToNodes({ agents: { [userId]: available } });
    },
    agentIsOnline: (userId) => isThere(agents.get(userId)),
    agentIsConnected: (userId) => (agents.get(userId)?.sockets ?? 0) > 0,
    agentsOnline: () => [...agents].flatMap(([userId, party]) => (party.available ? [userId] : [])),
    visitorArrived(visitorId, siteId) {
      const party = visitorComes(visitorId, siteId, now());
      if (party.own++ === 0) reportToNodes({ visitors: { [visitorId]: [siteId, party.since] } });
    },
    visitorLeft(visitorId) {
      const party = visitors.get(visitorId);
      if (party && --party.own === 0) reportToNodes({ visitors: { [visitorId]: null } });
      visitorLeaves(visitorId);
    },
    visitorIsOnline: (visitorId) => isThere(visitors.get(visitorId)),
    visitorsOn: (siteId) =>
      [...visitors].flatMap(([visitorId, party]) =>
        party.siteId === siteId ? [{ visitorId, since: party.since }] : [],
      ),
    stop() {
      stopListening();
      for (const party of [...agents.values(), ...visitors.values()]) clearTimeout(party.leaving);
      agents.clear();
      visitors.clear();
    },
  };
}
