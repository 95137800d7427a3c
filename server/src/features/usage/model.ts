import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import type { UsageKind } from './contract.ts';

declare module '#platform/events' {
  interface Events {
    /** A site's stored bytes grew by this much, or shrank if negative. */
    storageGrew: { siteId: string; text: number; files: number };
    /** A site's counters were written to the store. */
    storageCounted: UsageDoc;
    /** A storage is running full, or no longer is. `siteId` null: the disk. */
    noticesChanged: { siteId: string | null };
    /** A node is about to count a site, and needs what the other nodes have counted and not written. */
    storageAsked: { siteId: string };
    /** A node has written all that it had counted of a site when it was asked. */
    storageWritten: { siteId: string; node: string };
  }
}

events.crossesNodes('noticesChanged');
events.crossesNodes('storageAsked');
events.crossesNodes('storageWritten');

/** Bytes of messages and bytes of files. */
export type Bytes = Record<UsageKind, number>;

/** What one site has stored: incremental counters, recounted when they may be wrong. */
export interface UsageDoc extends Bytes {
  /** The site. */
  _id: Types.ObjectId;
  /** When everything was last counted; absent: a recount is needed. */
  countedAt?: Date;
  /** The nodes that have counted since their start: one that has died may not have written everything. */
  writers?: string[];
  /** As `writers`, of versions that knew of one process only. */
  inUse?: boolean;
  /** How often a deletion was written: it makes a count that went on meanwhile wrong. */
  shrinks?: number;
  /** The database's time of the last change of the counters: by it the other nodes find what is new. */
  at?: Date;
  /** The percentage at which the site's admins were last mailed. */
  told?: Partial<Bytes>;
}

const usageSchema = new Schema<UsageDoc>(
  {
    text: { type: Number, default: 0 },
    files: { type: Number, default: 0 },
    countedAt: Date,
    writers: { type: [String], default: undefined },
    inUse: Boolean,
    shrinks: Number,
    at: Date,
    told: { text: Number, files: Number },
  },
  { versionKey: false },
);
usageSchema.index({ at: 1 });

export const UsageModel = defineModel<UsageDoc>('Usage', usageSchema, 'usages');

/** Deletes the counters of a deleted site. */
export async function purgeUsage(site: Types.ObjectId): Promise<void> {
  await UsageModel.deleteOne({ _id: site });
}
