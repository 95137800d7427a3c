import { Schema, Types } from 'mongoose';
import type { Attribute, ContactField, VisitorPage } from '#features/presence/contract';
import { hasSubscriber, type SiteDoc, uncachedSite } from '#features/sites';
import { createDocumentCache } from '#platform/cache';
import { defineModel, deleteInBatches } from '#platform/database';
import { events } from '#platform/events';

declare module '#platform/events' {
  interface Events {
    /**
     * The person's data is erased and the token is invalid; the chats are being removed. `by` null: the visitor asked
     * for it.
     */
    visitorErased: VisitorAccess & { by: Types.ObjectId | null };
    /** The visitor moved to another page, or more is known about the visitor. */
    visitorUpdated: VisitorAccess;
    /** The visitor, or the website, has said who the visitor is. */
    visitorIdentified: VisitorAccess;
    /** A member has corrected what is known about the visitor, or changed the note. */
    visitorEdited: VisitorAccess & { by: Types.ObjectId; fields: string[] };
  }
}

/** Maximum number of additional devices, added by a mailed link or a proof; beyond it, the oldest is dropped. */
export const DEVICES_MAX = 10;

/** A page that a visitor was on, and since when. */
export interface SeenPageDoc extends VisitorPage {
  at: Date;
}

/** A visitor as stored. */
export interface VisitorDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** SHA-256 of the token; only the visitor's browser holds the token itself. */
  tokenHash: string;
  /** Token hashes of devices added by a mailed link or a proof, newest last. */
  linkHashes?: string[];
  name: string | null;
  email: string | null;
  /** Mails to this address come back: nothing is mailed to it. Without effect as soon as `email` is another one. */
  bounced?: { email: string; status: string; at: Date };
  phone?: string;
  /** What the visitor agreed to in a form of the widget, and when. */
  consent?: { text: string; at: Date };
  /** The fields that a member corrected last: the page cannot change them back, and proved ones are not among them. */
  corrected?: ContactField[];
  note?: PersonNoteDoc;
  /** The website's own id for the visitor. */
  userId?: string;
  /** The website's server has proved `userId`; a unique index allows one such visitor of a site for each person. */
  verified?: boolean;
  /** Attributes that the website set, and answers in the form before the chat; the one set last comes last. */
  attributes?: Attribute[];
  /** No chat of this visitor was found yet: set at creation, cleared by the hourly sweep. */
  silent?: boolean;
  userAgent: string;
  /** Coarse location: the browser's time zone and language. */
  location: string | null;
  /** The language in which the widget was shown last. */
  speaks?: string;
  bot: boolean;
  page: VisitorPage | null;
  /** Newest first, without consecutive repeats; absent for visitors stored before pages were kept. */
  pages?: SeenPageDoc[];
  /** New messages of this visitor are refused. */
  blocked: boolean;
  /** A member blocked or corrected the visitor, which may not have been copied to the chats yet. */
  unmarked?: boolean;
  /** Mark for webhooks: a new id with each write that they subscribe to; removed when the outbox has the event. */
  untold?: Types.ObjectId;
  /** The number of the newest change of a message in this visitor's chats; it may lag behind, never ahead. */
  lastEdit?: number;
  /** Stands for the person in the history of another chat that was imported. */
  importKey?: string;
  /** The import that stored the person. */
  importRun?: Types.ObjectId;
  createdAt: Date;
  lastSeenAt: Date;
  /** Tombstone, set first when the visitor is erased: only an empty record remains while the chats are removed. */
  erasedAt?: Date;
}

/** The team's note on a person as stored. */
export interface PersonNoteDoc {
  version: Types.ObjectId;
  content: string;
  author: Types.ObjectId;
  authorName: string;
  at: Date;
}

/** A visitor and the site of the widget. */
export interface VisitorAccess {
  visitor: VisitorDoc;
  site: SiteDoc;
}

const noteSchema = new Schema<PersonNoteDoc>(
  {
    version: { type: Schema.Types.ObjectId, required: true },
    content: { type: String, required: true },
    author: { type: Schema.Types.ObjectId, required: true },
    authorName: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { _id: false },
);

const visitorSchema = new Schema<VisitorDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    tokenHash: { type: String, required: true, unique: true },
    linkHashes: { type: [String], default: undefined },
    name: { type: String, default: null },
    email: { type: String, default: null },
    bounced: { type: new Schema({ email: String, status: String, at: Date }, { _id: false }) },
    phone: { type: String },
    consent: { type: new Schema({ text: String, at: Date }, { _id: false }) },
    corrected: { type: [String], default: undefined },
    note: { type: noteSchema },
    userId: { type: String },
    verified: { type: Boolean },
    attributes: { type: [{ _id: false, name: String, value: Schema.Types.Mixed, asked: Boolean }], default: undefined },
    silent: { type: Boolean },
    userAgent: { type: String, default: '' },
    location: { type: String, default: null },
    speaks: { type: String },
    bot: { type: Boolean, required: true },
    page: { type: new Schema({ url: String, title: String }, { _id: false }), default: null },
    pages: { type: [{ _id: false, url: String, title: String, at: Date }], default: undefined },
    blocked: { type: Boolean, default: false },
    unmarked: { type: Boolean },
    untold: { type: Schema.Types.ObjectId },
    lastEdit: { type: Number },
    importKey: { type: String },
    importRun: { type: Schema.Types.ObjectId },
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
visitorSchema.index({ untold: 1 }, { partialFilterExpression: { untold: { $exists: true } } });
visitorSchema.index({ linkHashes: 1 }, { partialFilterExpression: { linkHashes: { $exists: true } } });
visitorSchema.index({ erasedAt: 1 }, { partialFilterExpression: { erasedAt: { $exists: true } } });
visitorSchema.index(
  { site: 1, importKey: 1 },
  { unique: true, partialFilterExpression: { importKey: { $exists: true } } },
);
/** Cache of visitors who wrote recently. */
export const visitorCache = createDocumentCache<VisitorDoc>(visitorSchema, () => VisitorModel);
export const VisitorModel = defineModel<VisitorDoc>('Visitor', visitorSchema, 'visitors');

async function uncachedVisitor(id: string): Promise<VisitorDoc | null> {
  visitorCache.forget(id);
  return visitorCache.find(id);
}

const encodeVisitor = ({ visitor, site }: VisitorAccess) => ({
  visitorId: visitor._id.toHexString(),
  siteId: site._id.toHexString(),
});
async function decodeVisitor({ visitorId, siteId }: ReturnType<typeof encodeVisitor>): Promise<VisitorAccess | null> {
  const [visitor, site] = await Promise.all([uncachedVisitor(visitorId), uncachedSite(siteId)]);
  return visitor && site && { visitor, site };
}
events.crossesNodes('visitorUpdated', { encode: encodeVisitor, decode: decodeVisitor });
events.crossesNodes('visitorEdited', {
  encode: ({ by, fields, ...access }) => ({ ...encodeVisitor(access), by: by.toHexString(), fields }),
  async decode({ by, fields, ...ids }) {
    const access = await decodeVisitor(ids);
    return access && { ...access, by: new Types.ObjectId(by), fields };
  },
});
events.crossesNodes('visitorErased', {
  encode: ({ by, ...access }) => ({ ...encodeVisitor(access), by: by?.toHexString() ?? null }),
  async decode({ by, ...ids }) {
    const access = await decodeVisitor(ids);
    return access && { ...access, by: by === null ? null : new Types.ObjectId(by) };
  },
});

const IDENTITY = ['name', 'email', 'phone', 'userId', 'verified'] as const;

/** Part of an update: the mark for webhooks, if the update identifies the visitor and a webhook subscribes to that. */
export function identityWebhookMark(
  site: SiteDoc,
  before: Pick<VisitorDoc, 'bot'> & Partial<VisitorDoc>,
  given: Partial<VisitorDoc>,
): Pick<VisitorDoc, 'untold'> {
  const isNews = IDENTITY.some((field) => (given[field] ?? null) !== null && given[field] !== before[field]);
  return isNews && !before.bot && hasSubscriber(site, ['visitor.identified']) ? { untold: new Types.ObjectId() } : {};
}

/** Removes all visitors of a deleted site. */
export async function purgeVisitors(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(VisitorModel, { site }, signal);
}
