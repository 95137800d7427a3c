/** Somebody whose sockets are counted, until none was left for the grace period. */
export interface Party {
  /** Sockets of this node, and one for each other node with any. */
  sockets: number;
  /** Sockets of this node. */
  ownSockets: number;
  /** Set while the last socket is gone and the grace period is not over. */
  leaving?: NodeJS.Timeout | undefined;
  available: boolean;
}

/** An agent. `available` is false also while the agent is away. */
export interface AgentParty extends Party {
  /** What the agent chose. */
  isWanted: boolean;
  /** 0: never away */
  awayAfterMs: number;
  /** When there was input on any of the agent's dashboards, in milliseconds. */
  activeAt: number;
}

/** A visitor. */
export interface VisitingParty extends Party {
  siteId: string;
  /** Milliseconds */
  since: number;
}
