import { events } from '../events.ts';

declare module '../events.ts' {
  interface Events {
    /** An agent began or ceased to be online: connected and available. */
    agentChanged: { userId: string; online: boolean };
    /** An agent's last connection is gone, whether or not the agent was available. */
    agentGone: { userId: string };
    /** A visitor came or went. */
    visitorChanged: { visitorId: string; siteId: string; online: boolean };
  }
}

events.onEachNode('agentChanged', 'agentGone', 'visitorChanged');

interface Party {
  sockets: number;
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
  visitorArrived(visitorId: string, siteId: string): void;
  visitorLeft(visitorId: string): void;
  visitorIsOnline(visitorId: string): boolean;
  /** All visitors who are online on a site. */
  visitorsOn(siteId: string): Visiting[];
  /** Clears everything without emitting events. */
  stop(): void;
}

/**
 * Presence within this process.
 * @param graceMs how long a lost connection still counts, in milliseconds
 * @param now the clock, in milliseconds
 */
export function createPresence({ graceMs, now = Date.now }: { graceMs: number; now?: () => number }): Presence {
  const agents = new Map<string, Party>();
  const visitors = new Map<string, VisitingParty>();

  const isThere = (party: Party | undefined) => party?.available === true;
  const tellAgent = (userId: string, online: boolean) => void events.emit('agentChanged', { userId, online });
  const tellVisitor = (visitorId: string, online: boolean, { siteId }: VisitingParty) =>
    void events.emit('visitorChanged', { visitorId, siteId, online });

  function arrive<Who extends Party>(
    parties: Map<string, Who>,
    id: string,
    fresh: Who,
    tell: (id: string, online: boolean, party: Who) => void,
  ): void {
    const party = parties.get(id);
    if (!party) {
      parties.set(id, fresh);
      if (fresh.available) tell(id, true, fresh);
      return;
    }
    clearTimeout(party.leaving);
    party.leaving = undefined;
    party.sockets++;
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

  return {
    agentArrived: (userId, available) => arrive(agents, userId, { sockets: 1, available }, tellAgent),
    agentLeft: (userId) =>
      leave(agents, userId, ({ available }) => {
        if (available) tellAgent(userId, false);
        void events.emit('agentGone', { userId });
      }),
    setAvailable(userId, available) {
      const party = agents.get(userId);
      if (!party || party.available === available) return;
      party.available = available;
      tellAgent(userId, available);
    },
    agentIsOnline: (userId) => isThere(agents.get(userId)),
    agentIsConnected: (userId) => (agents.get(userId)?.sockets ?? 0) > 0,
    visitorArrived(visitorId, siteId) {
      arrive(visitors, visitorId, { sockets: 1, available: true, siteId, since: now() }, tellVisitor);
    },
    visitorLeft: (visitorId) => leave(visitors, visitorId, (party) => tellVisitor(visitorId, false, party)),
    visitorIsOnline: (visitorId) => isThere(visitors.get(visitorId)),
    visitorsOn: (siteId) =>
      [...visitors].flatMap(([visitorId, party]) =>
        party.siteId === siteId ? [{ visitorId, since: party.since }] : [],
      ),
    stop() {
      for (const party of [...agents.values(), ...visitors.values()]) clearTimeout(party.leaving);
      agents.clear();
      visitors.clear();
    },
  };
}
