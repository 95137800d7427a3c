import type { UserDoc } from '#features/auth';
import type { ChatDoc } from '#features/chats';
import { MESSAGE_MAX_LENGTH } from '#features/chats/contract';
import { type ReplyDoc, ReplyModel } from '#features/replies';
import { fillPlaceholders } from '#features/replies/contract';
import type { SiteDoc } from '#features/sites';
import { inEnglish, sentence } from '#platform/http';
import type { Sentence } from '#platform/http/contract';
import type { PushDoc } from '#platform/push';
import type { PushAction } from '#platform/push/contract';
import { type ActionTokens, digestOf } from './actionTokens.ts';

/** Browsers show at most two buttons. */
const BUTTONS_MAX = 2;
/** In characters; phones show little more of a button. */
const QUOTED_LENGTH = 24;

/** Whose chat a notification is about, and who gets it. */
export interface ChatForUser {
  chat: ChatDoc;
  site: SiteDoc;
  user: UserDoc;
}

/** The quick replies of these users on a site, by user; those who chose none have none. */
export async function quickRepliesOf(users: UserDoc[], { _id: site }: SiteDoc): Promise<Map<UserDoc, ReplyDoc>> {
  const chosen = new Map(
    users.flatMap((user) => {
      const id = user.quickReplies?.[site.toHexString()];
      return id === undefined ? [] : [[user, id] as const];
    }),
  );
  if (chosen.size === 0) return new Map();
  const replies = await ReplyModel.find({ _id: { $in: [...chosen.values()] }, site }).lean<ReplyDoc[]>();
  return new Map(
    [...chosen].flatMap(([user, id]) => {
      const reply = replies.find(({ _id }) => _id.equals(id));
      return reply && isQuick(reply, user) ? [[user, reply] as const] : [];
    }),
  );
}

/** Whether the user can send this canned reply with a button, which sends no files. */
export function isQuick({ owner, files = [] }: ReplyDoc, { _id }: UserDoc): boolean {
  return files.length === 0 && (!owner || owner.equals(_id));
}

/** The text that a quick reply sends; null: there is none, or it is too long for a message. */
export function quickText({ content }: ReplyDoc, { chat, site, user }: ChatForUser): string | null {
  const text = fillPlaceholders(content, {
    'visitor.name': chat.visitorInfo.name,
    'agent.name': user.name,
    'site.name': site.name,
  }).trim();
  return text === '' || text.length > MESSAGE_MAX_LENGTH ? null : text;
}

/** Whether the recipient can claim the chat; what the server assigned to him he claims by hand. */
export function isClaimable({ claimedBy, assignedAt }: ChatDoc, { _id }: UserDoc): boolean {
  return claimedBy === null || (assignedAt !== undefined && claimedBy.equals(_id));
}

/** The page of the dashboard that opens a chat ready to write. */
export const chatPath = ({ _id }: ChatDoc) => `/dashboard/inbox?chat=${_id}&do=write`;
/** The page that claims a chat for the signed-in agent. */
export const claimPath = ({ _id }: ChatDoc) => `/dashboard/inbox?chat=${_id}&do=claim`;
/** The page that opens a chat with a canned reply in the composer. */
export const replyPath = ({ _id }: ChatDoc, reply: ReplyDoc) => `/dashboard/inbox?chat=${_id}&reply=${reply._id}`;

/** What the button that sends a text is called. */
export const quotable = (text: string) => cut(text.replaceAll(/\s+/g, ' '), QUOTED_LENGTH);

/** The buttons of a notification about a message of a chat. */
export function buttonsFor(
  tokens: ActionTokens,
  of: ChatForUser,
  { seq, reply }: { seq: number; reply: ReplyDoc | undefined },
): (device: PushDoc) => PushAction[] {
  const { chat, user } = of;
  const text = reply && quickText(reply, of);
  const about = { chat: chat._id.toHexString(), seq };
  return (device) => {
    const buttons: PushAction[] = [];
    const add = (action: PushAction['action'], label: Sentence, path: string, token?: string) =>
      buttons.push({ action, title: inEnglish(label), said: label, path, ...(token !== undefined && { token }) });
    if (isClaimable(chat, user)) add('claim', sentence('Claim'), claimPath(chat), tokens.sign(device, about));
    if (reply && text) {
      const token = tokens.sign(device, { ...about, reply: { id: reply._id.toHexString(), digest: digestOf(reply) } });
      add('reply', sentence('Reply “{text}”', { text: quotable(text) }), replyPath(chat, reply), token);
    }
    add('open', sentence('Open'), chatPath(chat));
    return buttons.slice(0, BUTTONS_MAX);
  };
}

/** The text, or its beginning where it is longer. @param length in characters */
export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
