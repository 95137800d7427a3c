import { UserModel } from '#features/auth';
import type { Backups } from '#features/backups';
import { MessageModel } from '#features/chats';
import { ALL_SITES, readWeeks } from '#features/overview';
import { SiteModel } from '#features/sites';
import type { Disk } from '#features/usage';
import { listNodes, type OwnNode } from '#platform/cluster';
import type { OpenSockets } from '#platform/cluster/contract';
import type { PlatformFigures, StorageEngine } from './contract.ts';

/** Where the figures of the running process come from. */
export interface FigureSources {
  node: OwnNode;
  storage: { engine: StorageEngine; bytes(): Promise<number>; disk(): Promise<Disk | null> };
  backups: Backups | null;
  /** When the process started, in milliseconds. */
  startedAt: number;
  now: () => number;
}

/** The figures of the instance. Each is kept as a number or counted over few keys, so that none scans the chats. */
export async function platformFigures(sources: FigureSources, timeZone?: string): Promise<PlatformFigures> {
  const [accounts, sites, deleted, messages, { perDay }, bytes, disk, nodes, backups] = await Promise.all([
    UserModel.estimatedDocumentCount(),
    SiteModel.estimatedDocumentCount(),
    SiteModel.countDocuments({ deletedAt: { $exists: true } }),
    MessageModel.estimatedDocumentCount(),
    readWeeks([ALL_SITES], sources.now(), timeZone),
    sources.storage.bytes(),
    sources.storage.disk(),
    listNodes(sources.node),
    sources.backups?.report() ?? null,
  ]);
  const open = nodes.length > 0 ? nodes.map(({ sockets }) => sockets) : [sources.node.sockets()];
  const total = (of: keyof OpenSockets) => open.reduce((sum, sockets) => sum + sockets[of], 0);
  return {
    accounts,
    sites: sites - deleted,
    messages,
    perDay: perDay.map(({ day, chats }) => ({ day, chats })),
    sockets: { dashboards: total('dashboards'), widgets: total('widgets') },
    version: sources.node.version,
    startedAt: new Date(sources.startedAt).toISOString(),
    nodes,
    storage: { engine: sources.storage.engine, bytes, disk },
    backups,
  };
}
