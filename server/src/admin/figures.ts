import { VISITOR_NAMESPACE } from '../../contract.ts';
import manifest from '../../package.json' with { type: 'json' };
import { UserModel } from '../auth/model.ts';
import { MessageModel } from '../chats/model.ts';
import { listNodes } from '../cluster/nodes.ts';
import type { Metrics } from '../http/metrics.ts';
import { ALL_SITES } from '../overview/model.ts';
import { readWeeks } from '../overview/read.ts';
import { SiteModel } from '../sites/model.ts';
import type { Disk } from '../usage/watch.ts';
import type { PlatformFigures, StorageEngine } from './contract.ts';

/** Where the figures of the running process come from. */
export interface FigureSources {
  metrics: Metrics;
  storage: { engine: StorageEngine; bytes(): Promise<number>; disk(): Promise<Disk | null> };
  /** When the process started, in milliseconds. */
  startedAt: number;
  /** Milliseconds */
  now: () => number;
}

/** The figures of the instance. Each is kept as a number or counted over few keys, so that none scans the chats. */
export async function platformFigures(sources: FigureSources, timeZone?: string): Promise<PlatformFigures> {
  const [accounts, sites, deleted, messages, { perDay }, bytes, disk, nodes] = await Promise.all([
    UserModel.estimatedDocumentCount(),
    SiteModel.estimatedDocumentCount(),
    SiteModel.countDocuments({ deletedAt: { $exists: true } }),
    MessageModel.estimatedDocumentCount(),
    readWeeks([ALL_SITES], sources.now(), timeZone),
    sources.storage.bytes(),
    sources.storage.disk(),
    listNodes(manifest.version),
  ]);
  const open = sources.metrics.openSockets();
  return {
    accounts,
    sites: sites - deleted,
    messages,
    perDay: perDay.map(({ day, chats }) => ({ day, chats })),
    sockets: { dashboards: open.get('/') ?? 0, widgets: open.get(VISITOR_NAMESPACE) ?? 0 },
    version: manifest.version,
    startedAt: new Date(sources.startedAt).toISOString(),
    nodes,
    storage: { engine: sources.storage.engine, bytes, disk },
  };
}
