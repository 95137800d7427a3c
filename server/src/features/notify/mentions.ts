import { Schema, Types } from 'mongoose';
import { type ChatDoc, ChatModel, MessageModel, type NoteDoc, NoteModel } from '#features/chats';
import { memberOf, type SiteDoc } from '#features/sites';
import { defineModel, deleteInBatches } from '#platform/database';
import { events } from '#platform/events';
import { cut } from './buttons.ts';
import { MENTIONS_LISTED_MAX, type Mention } from './contract.ts';
import { PREVIEW_LENGTH } from './push.ts';

/** That a note mentions a member. The text is only in the note, and goes with it. */
export interface MentionDoc {
  /** The note's id with the user's, so that each member is notified of a note once. */
  _id: string;
  user: Types.ObjectId;
  site: Types.ObjectId;
  chat: Types.ObjectId;
  note: Types.ObjectId;
  /** When the note was written. */
  at: Date;
  /** The seq of the chat's newest message at that time. */
  seq?: number;
  /** Set until the member opens the chat. */
  unread?: true;
  mailedAt?: Date;
}

const KEPT_S = 30 * 86_400;

const mentionSchema = new Schema<MentionDoc>(
  {
    _id: { type: String, required: true },
    user: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    chat: { type: Schema.Types.ObjectId, required: true },
    note: { type: Schema.Types.ObjectId, required: true },
    at: { type: Date, required: true },
    seq: { type: Number },
    unread: { type: Boolean },
    mailedAt: { type: Date },
  },
  { versionKey: false },
);
mentionSchema.index({ user: 1, unread: 1, at: -1 });
mentionSchema.index({ chat: 1, unread: 1, at: 1 });
mentionSchema.index({ site: 1 });
mentionSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_S });
export const MentionModel = defineModel<MentionDoc>('Mention', mentionSchema, 'mentions');

declare module '#platform/events' {
  interface Events {
    /** A note mentions these members. */
    mentioned: { userIds: string[]; mention: Mention };
    /** The list of a user's unread mentions has lost some. */
    mentionsChanged: { userId: string };
  }
}
events.crossesNodes('mentioned');
events.crossesNodes('mentionsChanged');

/** A note with its chat and site. */
export interface NoteOfChat {
  chat: ChatDoc;
  site: SiteDoc;
  note: NoteDoc;
}

/**
 * Stores the mentions of a note, and emits those that are unread. Idempotent: what was read stays read.
 * @returns the unread ones
 */
export async function storeMentions({ chat, site, note }: NoteOfChat): Promise<MentionDoc[]> {
  const before = await MessageModel.findOne({ chat: chat._id, createdAt: { $lte: note.createdAt } }, { seq: 1 })
    .sort({ seq: -1 })
    .lean<{ seq: number }>();
  const newMentions = (note.mentions ?? [])
    .filter(({ user }) => memberOf(site, user))
    .map(
      ({ user }): MentionDoc => ({
        _id: `${note._id}:${user}`,
        user,
        site: site._id,
        chat: chat._id,
        note: note._id,
        at: note.createdAt,
        ...(before && { seq: before.seq }),
        unread: true,
      }),
    );
  if (newMentions.length === 0) return [];
  await MentionModel.bulkWrite(
    newMentions.map(({ _id, ...rest }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: rest }, upsert: true },
    })),
    { ordered: false },
  );
  const stored = await MentionModel.find({ _id: { $in: newMentions.map(({ _id }) => _id) }, unread: true }).lean<
    MentionDoc[]
  >();
  const [first] = stored;
  const userIds = stored.map(({ user }) => user.toHexString());
  if (first) await events.emit('mentioned', { userIds, mention: mentionView(first, { chat, site, note }) });
  return stored;
}

/** A user's unread mentions on these sites, the latest first. */
export async function unreadMentions(user: Types.ObjectId, sites: SiteDoc[]): Promise<Mention[]> {
  const mentions = await MentionModel.find({ user, unread: true, site: { $in: sites.map(({ _id }) => _id) } })
    .sort({ at: -1 })
    .limit(MENTIONS_LISTED_MAX)
    .lean<MentionDoc[]>();
  if (mentions.length === 0) return [];
  const [chats, notes] = await Promise.all([
    ChatModel.find({ _id: { $in: mentions.map(({ chat }) => chat) } }).lean<ChatDoc[]>(),
    NoteModel.find({ _id: { $in: mentions.map(({ note }) => note) } }).lean<NoteDoc[]>(),
  ]);
  return mentions.flatMap((mention) => {
    const chat = chats.find(({ _id }) => _id.equals(mention.chat));
    const note = notes.find(({ _id }) => _id.equals(mention.note));
    const site = sites.find(({ _id }) => _id.equals(mention.site));
    return chat && note && site ? [mentionView(mention, { chat, site, note })] : [];
  });
}

function mentionView(mention: MentionDoc, { chat, site, note }: NoteOfChat): Mention {
  return {
    _id: note._id.toHexString(),
    chatId: chat._id.toHexString(),
    siteName: site.name,
    visitorName: chat.visitorInfo.name,
    by: { _id: note.author.toHexString(), name: note.authorName },
    preview: cut(note.content, PREVIEW_LENGTH),
    path: notePath(mention),
    createdAt: note.createdAt.toISOString(),
  };
}

/** The page of the dashboard that opens a chat at a note. */
export function notePath({ chat, note, seq }: Pick<MentionDoc, 'chat' | 'note' | 'seq'>): string {
  return `/dashboard/inbox?chat=${chat}${seq === undefined ? '' : `&at=${seq}`}&note=${note}`;
}

/** Marks a user's mentions in a chat as read. */
export async function readMentions(user: Types.ObjectId, chat: Types.ObjectId): Promise<void> {
  const { modifiedCount } = await MentionModel.updateMany({ user, chat, unread: true }, { $unset: { unread: 1 } });
  if (modifiedCount > 0) await events.emit('mentionsChanged', { userId: user.toHexString() });
}

/** Deletes mentions with their chat, with their account, and of members who leave the team. @returns a disposer */
export function forgetMentions(): () => void {
  return events.stopAll([
    // Emitted again until everything of the chat is gone, even if a crash comes between.
    events.on('chatErased', async ({ chatId }) => {
      await MentionModel.deleteMany({ chat: new Types.ObjectId(chatId) });
    }),
    events.on('accountDeleted', async ({ userId }) => {
      await MentionModel.deleteMany({ user: new Types.ObjectId(userId) });
    }),
    events.on('memberRemoved', async ({ site, userId }) => {
      await MentionModel.deleteMany({ user: new Types.ObjectId(userId), site: site._id });
      await events.emit('mentionsChanged', { userId });
    }),
  ]);
}

/** Removes all mentions of a deleted site. */
export async function purgeMentions(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(MentionModel, { site }, signal);
}
