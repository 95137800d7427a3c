/**
 * What is wrong with a node. `redis`: the events of the other nodes do not reach it. `clock`: its clock differs from the database's. `silent`:
 * it has crashed, or cannot reach the database. `version`: it runs another version than this node.
 */
export type NodeProblem = 'redis' | 'clock' | 'silent' | 'version';

/** Open connections. */
export interface OpenSockets {
  dashboards: number;
  widgets: number;
}

/** A running process of this Parley. */
export interface ClusterNode {
  /** The name of its machine, and its port. */
  address: string;
  version: string;
  /** ISO 8601 UTC */
  startedAt: string;
  /** None of a node that is silent. */
  sockets: OpenSockets;
  problems: NodeProblem[];
}
