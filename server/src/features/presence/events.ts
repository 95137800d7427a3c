import { events } from '#platform/events';

declare module '#platform/events' {
  interface Events {
    /** An agent began or ceased to be online: connected, available and not away. `away`: offline for want of input only. */
    agentChanged: { userId: string; online: boolean; away: boolean };
    /** An agent did something on a dashboard, `idleMs` ago. */
    agentActive: { userId: string; idleMs: number };
    /** The agent chose after how long without input to be away; 0: never. */
    autoAwayChosen: { userId: string; awayAfterMs: number };
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
events.crossesNodes('agentActive');
events.crossesNodes('autoAwayChosen');

/** People by id; null: no longer connected. */
export interface PresenceReport {
  /** Whether the agent is available: what the agent chose. */
  agents: Record<string, boolean | null>;
  /** Of agents who can become away: after how long, and since when there was no input (null: nobody knows of any). */
  idle?: Record<string, [awayAfterMs: number, idleMs: number | null]>;
  /** The visitor's site, and since when in milliseconds. */
  visitors: Record<string, [siteId: string, since: number] | null>;
}
