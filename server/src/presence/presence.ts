import { events } from '../events.ts';

declare module '../events.ts' {
  interface Events {
    /** An agent began or ceased to be there to answer: connected and switched on. */
    agentChanged: { userId: string; online: boolean };
    /** An agent's last connection is gone, switched on or not. */
    agentGone: { userId: string };
    /** A visitor came or went. */
    visitorChanged: { visitorId: string; online: boolean };
  }
}

interface Party {
  sockets: number;
  /** Runs while the last socket is gone and the grace is not over. */
  leaving?: NodeJS.Timeout | undefined;
  available: boolean;
}

interface VisitingParty extends Party {
  siteId: string;
  /** Milliseconds */
  since: number;
}

/** A visitor who is there, since when in milliseconds. */
export interface Visiting {
  visitorId: string;
  since: number;
}

/** Who is there. Sockets are counted per identity; a lost connection counts on for a grace. */
export interface Presence {
  agentArrived(userId: string, available: boolean): void;
  agentLeft(userId: string): void;
  /** Switches whether the agent takes chats. */
  setAvailable(userId: string, available: boolean): void;
  /** Whether the agent is there to answer. */
  agentIsOnline(userId: string): boolean;
  /** Whether a dashboard of the agent's is open right now, no grace counted, switched on or not. */
  agentIsConnected(userId: string): boolean;
  visitorArrived(visitorId: string, siteId: string): void;
  visitorLeft(visitorId: string): void;
  visitorIsOnline(visitorId: string): boolean;
  /** All visitors who are on a site. */
  visitorsOn(siteId: string): Visiting[];
  /** Forgets everybody, without telling. */
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
  const tellVisitor = (visitorId: string, online: boolean) => void events.emit('visitorChanged', { visitorId, online });

  function arrive<Who extends Party>(parties: Map<string, Who>, id: string, fresh: Who, tell: typeof tellAgent): void {
    const party = parties.get(id);
    if (!party) {
      parties.set(id, fresh);
      if (fresh.available) tell(id, true);
      return;
    }
    clearTimeout(party.leaving);
    party.leaving = undefined;
    party.sockets++;
  }

  function leave(parties: Map<string, Party>, id: string, gone: (party: Party) => void): void {
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
    visitorLeft: (visitorId) => leave(visitors, visitorId, () => tellVisitor(visitorId, false)),
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
