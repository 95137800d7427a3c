import { Schema, type Types } from 'mongoose';
import { defineModel } from '../connection.ts';
import type { UsageKind } from './contract.ts';

declare module '../events.ts' {
  interface Events {
    /** A site has stored this much more, or (negative) less. */
    storageGrew: { siteId: string; text: number; files: number };
    /** What a site has stored was written down. */
    storageCounted: UsageDoc;
    /** Something is running full, or is so no more. `siteId` null: the disk. */
    noticesChanged: { siteId: string | null };
  }
}

/** Bytes of messages and of files. */
export type Bytes = Record<UsageKind, number>;

/** What one site has stored. It is counted up and down as things happen, and counted anew when that may have gone wrong. */
export interface UsageDoc extends Bytes {
  /** The site. */
  _id: Types.ObjectId;
  /** When all was counted; left out: it has to be. */
  countedAt?: Date;
  /** A process has counted on since, and may have died before it wrote everything down. */
  inUse?: boolean;
  /** Of which share in percent the site's admins have been mailed. */
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

/** Forgets what a deleted site had stored. */
export async function purgeUsage(site: Types.ObjectId): Promise<void> {
  await UsageModel.deleteOne({ _id: site });
}
