import { Schema, type Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { defineModel } from '../connection.ts';
import { createDocumentCache } from '../documentCache.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { Attribute, VisitorPage } from './contract.ts';

declare module '../events.ts' {
  interface Events {
    /** The person is forgotten and the token dead; the chats are going. `by` null: it was the visitor's own wish. */
    visitorErased: VisitorAccess & { by: Types.ObjectId | null };
    /** The visitor went to another page, or is known better. */
    visitorUpdated: VisitorAccess;
  }
}

/** Devices that a visitor came with by a mailed link or a proof; the one before these is forgotten. */
export const DEVICES_MAX = 10;

/** A page that a visitor was on, and since when. */
export interface SeenPageDoc extends VisitorPage {
  at: Date;
}

/** A visitor as stored. */
export interface VisitorDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** SHA-256 of the token: the token itself is known to the visitor's browser only. */
  tokenHash: string;
  /** The same of devices that came by a mailed link or a proof, newest last. */
  linkHashes?: string[];
  name: string | null;
  email: string | null;
  /** Who the website says the visitor is. */
  userId?: string;
  /** Its server has proved that; one visitor of a site for each such person, by a unique index. */
  verified?: boolean;
  /** What the website tells of the visitor, the latest last. */
  attributes?: Attribute[];
  /** Nobody has seen a chat of this visitor yet: set from the start, and taken off by the hourly sweep. */
  silent?: boolean;
  userAgent: string;
  /** Coarse: the browser's time zone and language. */
  location: string | null;
  bot: boolean;
  page: VisitorPage | null;
  /** The latest first, never one after itself; of those who came before they were kept there are none. */
  pages?: SeenPageDoc[];
  /** Messages of this visitor are refused. */
  blocked: boolean;
  /** Its chats may not have been told yet that this has changed. */
  unmarked?: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  /** Set first when the visitor is erased: only an empty shell is left while the chats go. */
  erasedAt?: Date;
}

/** A visitor and the site that the widget stands on. */
export interface VisitorAccess {
  visitor: VisitorDoc;
  site: SiteDoc;
}

const visitorSchema = new Schema<VisitorDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    tokenHash: { type: String, required: true, unique: true },
    linkHashes: { type: [String], default: undefined },
    name: { type: String, default: null },
    email: { type: String, default: null },
    userId: { type: String },
    verified: { type: Boolean },
    attributes: { type: [{ _id: false, name: String, value: Schema.Types.Mixed }], default: undefined },
    silent: { type: Boolean },
    userAgent: { type: String, default: '' },
    location: { type: String, default: null },
    bot: { type: Boolean, required: true },
    page: { type: new Schema({ url: String, title: String }, { _id: false }), default: null },
    pages: { type: [{ _id: false, url: String, title: String, at: Date }], default: undefined },
    blocked: { type: Boolean, default: false },
    unmarked: { type: Boolean },
    createdAt: { type: Date, required: true },
    lastSeenAt: { type: Date, required: true },
    erasedAt: { type: Date },
  },
  { versionKey: false },
);
visitorSchema.index({ site: 1, lastSeenAt: 1 });
visitorSchema.index({ site: 1, userId: 1 }, { unique: true, partialFilterExpression: { verified: true } });
visitorSchema.index({ lastSeenAt: 1 }, { name: 'silent_by_age', partialFilterExpression: { silent: true } });
visitorSchema.index({ unmarked: 1 }, { partialFilterExpression: { unmarked: true } });
visitorSchema.index({ linkHashes: 1 }, { partialFilterExpression: { linkHashes: { $exists: true } } });
visitorSchema.index({ erasedAt: 1 }, { partialFilterExpression: { erasedAt: { $exists: true } } });
/** Who wrote lately. */
export const visitorCache = createDocumentCache<VisitorDoc>(visitorSchema, () => VisitorModel);
export const VisitorModel = defineModel<VisitorDoc>('Visitor', visitorSchema, 'visitors');

/** Removes all visitors of a deleted site. */
export async function purgeVisitors(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(VisitorModel, { site }, signal);
}
