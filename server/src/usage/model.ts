import { Schema, type Types } from 'mongoose';
import { defineModel } from '../connection.ts';
import { events } from '../events.ts';
import type { UsageKind } from './contract.ts';

declare module '../events.ts' {
  interface Events {
    /** A site's stored bytes grew by this much, or shrank if negative. */
    storageGrew: { siteId: string; text: number; files: number };
    /** A site's counters were written to the store. */
    storageCounted: UsageDoc;
    /** A storage is running full, or no longer is. `siteId` null: the disk. */
    noticesChanged: { siteId: string | null };
  }
}

events.crossesNodes('noticesChanged');

/** Bytes of messages and bytes of files. */
export type Bytes = Record<UsageKind, number>;

/** What one site has stored: incremental counters, recounted when they may be wrong. */
export interface UsageDoc extends Bytes {
  /** The site. */
  _id: Types.ObjectId;
  /** When everything was last counted; absent: a recount is needed. */
  countedAt?: Date;
  /** A process has counted since then, and may have died before it wrote everything. */
  inUse?: boolean;
  /** The percentage at which the site's admins were last mailed. */
  told?: Partial<Bytes>;
}

const usageSchema = new Schema<UsageDoc>(
  {
    text: { type: Number, default: 0 },
    files: { type: Number, default: 0 },
    countedAt: Date,
    inUse: Boolean,
    told: { text: Number, files: Number },
  },
  { versionKey: false },
);
usageSchema.index({ inUse: 1 }, { partialFilterExpression: { inUse: true } });

export const UsageModel = defineModel<UsageDoc>('Usage', usageSchema, 'usages');

/** Deletes the counters of a deleted site. */
export async function purgeUsage(site: Types.ObjectId): Promise<void> {
  await UsageModel.deleteOne({ _id: site });
}
