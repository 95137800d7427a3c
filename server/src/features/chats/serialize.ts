import type { Types } from 'mongoose';
import type { AnswerSource, ChatAssistant } from '#features/assistant/contract';
import { type Person, peopleById } from '#features/auth';
import type { ChatDepartment } from '#features/departments/contract';
import { departmentOf, type SiteDoc } from '#features/sites';
import { recentlyUsed } from '#platform/cache';
import { events } from '#platform/events';
import { attachmentView, pictureUrl } from '#platform/files';
import type { Chat, Claimer, Message, MessageChanges, MessageMail, Note, Rating, StaffMessage } from './contract.ts';
import { readChanges } from './lists/lists.ts';
import { type MessageDoc, type MessageMailDoc, MessageModel } from './messageModel.ts';
import type { ChatDoc } from './model.ts';
import type { MentionedMember, NoteDoc } from './notes/noteModel.ts';
import { plainText } from './row/row.ts';

/** Messages as both sides may see them, each with its author's current picture. */
export async function messageViews(messages: MessageDoc[]): Promise<Message[]> {
  const people = await peopleById(messages.flatMap(({ author }) => author ?? []));
  return messages.map((message) => view(message, people));
}

/** Messages as staff see them. */
export async function staffMessageViews(messages: MessageDoc[]): Promise<StaffMessage[]> {
  const people = await peopleById(messages.flatMap(({ author }) => author ?? []));
  return messages.map((message) => staffView(message, people));
}

/** The changes of a chat's messages after a change, as staff see them. */
export async function staffChanges(
  { _id: chat, visitor, lastEdit }: ChatDoc,
  afterEdit: number | undefined,
): Promise<MessageChanges<StaffMessage>> {
  const changes = await readChanges({ visitor, chat, lastEdit }, afterEdit);
  return changesView(changes, staffMessageViews);
}

/** Changes in the wire form, which leaves out what there is none of. */
export async function changesView<View extends Message>(
  { edited, lastEdit }: { edited: MessageDoc[]; lastEdit: number },
  views: (messages: MessageDoc[]) => Promise<View[]>,
): Promise<MessageChanges<View>> {
  return { ...(edited.length > 0 && { edited: await views(edited) }), ...(lastEdit > 0 && { lastEdit }) };
}

/** One message as both sides may see it. */
export async function messageView(message: MessageDoc): Promise<Message> {
  return view(message, await authorOf(message));
}

/** One message as staff see it. */
export async function staffMessageView(message: MessageDoc): Promise<StaffMessage> {
  return staffView(message, await authorOf(message));
}

/** No visitor is an author, so most messages wait for nothing. */
function authorOf({ author }: MessageDoc): Map<string, Person> | Promise<Map<string, Person>> {
  return author ? peopleById([author]) : NOBODY;
}

const NOBODY: Map<string, Person> = new Map();

function view(message: MessageDoc, people: Map<string, Person>): Message {
  const avatar = message.author && people.get(message.author.toHexString())?.avatar;
  return {
    _id: message._id.toHexString(),
    chatId: message.chat.toHexString(),
    seq: message.seq,
    clientId: message.rule ? message._id.toHexString() : message.clientId,
    sender: message.sender,
    senderName: message.authorName,
    senderAvatar: pictureUrl(avatar),
    type: message.sender === 'system' ? 'system' : message.file ? 'file' : 'text',
    content: message.content,
    text: plainText(message),
    ...(message.formatted !== undefined && { formatted: message.formatted }),
    file: message.file ? attachmentView(message.file) : null,
    event: message.event,
    ...(message.greeting && { greeting: message.greeting.text }),
    ...(message.sources && { sources: message.sources.map(sourceView) }),
    timestamp: message.createdAt.toISOString(),
    ...(message.edit !== undefined && changeOf(message)),
  };
}

/** A source without what the database adds. */
const sourceView = ({ title, article, lang, url }: AnswerSource): AnswerSource => ({ title, article, lang, url });

function changeOf({ edit, editedAt, deletedAt }: MessageDoc): Pick<Message, 'edit' | 'editedAt' | 'deletedAt'> {
  return {
    edit: edit ?? 0,
    ...(editedAt && { editedAt: editedAt.toISOString() }),
    ...(deletedAt && { deletedAt: deletedAt.toISOString() }),
  };
}

function staffView(message: MessageDoc, people: Map<string, Person>): StaffMessage {
  const { author, mail, clientId } = message;
  return {
    ...view(message, people),
    clientId,
    senderId: author?.toHexString() ?? null,
    ...(mail && { mail: mailView(mail) }),
  };
}

const mailView = ({ from, whole }: MessageMailDoc): MessageMail => ({
  ...(from !== undefined && { from }),
  ...(whole !== undefined && { more: true }),
});

/** A note as staff see it. */
export function noteView(note: NoteDoc): Note {
  const {
    _id,
    chat,
    clientId,
    content,
    event,
    until,
    to,
    department,
    author,
    authorName,
    byRule,
    mentions = [],
    createdAt,
  } = note;
  return {
    _id: _id.toHexString(),
    chatId: chat.toHexString(),
    clientId,
    content,
    event: event ?? null,
    ...(until && { until: until.toISOString() }),
    ...(to !== undefined && { to: to && memberView(to) }),
    ...(department !== undefined && { department: department && departmentName(department) }),
    author: { _id: author.toHexString(), name: authorName, ...(byRule && { isRule: true }) },
    ...(mentions.length > 0 && { mentions: mentions.map(memberView) }),
    createdAt: createdAt.toISOString(),
  };
}

function memberView({ user, name }: MentionedMember): Claimer {
  return { _id: user.toHexString(), name };
}

/** A department by its name. */
const departmentName = ({ _id, name }: { _id: Types.ObjectId; name: string }) => ({ _id: _id.toHexString(), name });

/** The department of a chat as staff see it; null: none. */
export function chatDepartment(chat: ChatDoc, site: SiteDoc): ChatDepartment | null {
  const department = departmentOf(site, chat.department);
  return department && { ...departmentName(department), since: (chat.queuedAt ?? chat.createdAt).toISOString() };
}

/** The person who answers as visitors see them: name and picture only. */
export function agentView({ name, avatar }: Pick<Person, 'name' | 'avatar'>) {
  return { name, avatar: pictureUrl(avatar) };
}

/** The visitor's rating, without fields that the database adds. */
export function ratingView({ rating }: ChatDoc): Rating | null {
  return rating && { score: rating.score, comment: rating.comment };
}

/** Chats as the dashboard's lists show them, with the names of their sites and claimers. */
export async function chatViews(chats: ChatDoc[], sites: SiteDoc[]): Promise<Chat[]> {
  const siteById = new Map(sites.map((site) => [site._id.toHexString(), site]));
  const firsts = await firstMessages(chats);
  const claimers = chats.flatMap(({ claimedBy }) => claimedBy ?? []);
  const people = await peopleById([...claimers, ...[...firsts.values()].flatMap(({ author }) => author ?? [])]);
  return chats.map((chat) => {
    const id = chat._id.toHexString();
    const siteId = chat.site.toHexString();
    const site = siteById.get(siteId);
    const department = site && chatDepartment(chat, site);
    const claimer = chat.claimedBy && people.get(chat.claimedBy.toHexString());
    const first = firsts.get(id);
    const { name, email, userAgent, location } = chat.visitorInfo;
    return {
      _id: id,
      status: chat.status,
      visitorId: chat.visitor.toHexString(),
      visitorInfo: { name, email, userAgent, location },
      site: { _id: siteId, name: site?.name ?? '' },
      ...(department && { department }),
      claimedBy: claimer ? { _id: claimer._id.toHexString(), name: claimer.name } : null,
      assignedAt: chat.assignedAt?.toISOString() ?? null,
      handedBy: chat.handedBy ?? null,
      waitingSince: chat.waitingSince?.toISOString() ?? null,
      ...(chat.snoozedUntil && { snoozedUntil: chat.snoozedUntil.toISOString() }),
      ...(chat.assistant && { assistant: assistantView(chat) }),
      tags: chat.tags,
      rating: ratingView(chat),
      blocked: chat.blocked,
      metadata: { lastMessage: chat.lastMessage, lastActivity: chat.lastActivity.toISOString() },
      lastMessage: chat.lastMessage,
      lastSeq: chat.lastSeq,
      unread: chat.unread,
      messages: first ? [staffView(first, people)] : [],
      rev: chat.rev,
      createdAt: chat.createdAt.toISOString(),
      closedAt: chat.closedAt?.toISOString() ?? null,
    };
  });
}

function assistantView({ assisted, assistant }: ChatDoc): ChatAssistant {
  const { answers = 0, reason } = assistant ?? {};
  return { active: assisted === true, answers, ...(reason && { reason }) };
}

/** One chat as the lists show it. */
export async function chatView(chat: ChatDoc, site: SiteDoc): Promise<Chat> {
  const [view] = await chatViews([chat], [site]);
  return view as Chat;
}

const FIRSTS_MAX = 20_000;
/** By chat. */
const firstMessageCache = recentlyUsed<MessageDoc>(FIRSTS_MAX);
/** How many first messages were changed: what was read meanwhile may be older. */
let firstChanges = 0;

/** Drops first messages that their authors have changed. @returns a disposer */
export function followFirstMessages(): () => void {
  return events.everywhere('messageChanged', ({ message }) => {
    if (message.seq !== 1) return;
    firstChanges++;
    firstMessageCache.delete(message.chat.toHexString());
  });
}

/** The first messages of chats, by hex id: list rows show them, again with each later message. */
async function firstMessages(chats: ChatDoc[]): Promise<Map<string, MessageDoc>> {
  const firsts = new Map<string, MessageDoc>();
  const unread = chats.filter(({ _id }) => {
    const first = firstMessageCache.get(_id.toHexString());
    if (first) firsts.set(_id.toHexString(), first);
    return !first;
  });
  if (unread.length === 0) return firsts;
  const changesBefore = firstChanges;
  const read = await MessageModel.find({ chat: { $in: unread.map(({ _id }) => _id) }, seq: 1 }).lean<MessageDoc[]>();
  for (const first of read) {
    firsts.set(first.chat.toHexString(), first);
    if (firstChanges === changesBefore) firstMessageCache.set(first.chat.toHexString(), first);
  }
  return firsts;
}
