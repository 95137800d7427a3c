import { randomUUID } from 'node:crypto';
import type { Types } from 'mongoose';
import { recipients, type UserDoc } from '#features/auth';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '#features/chats';
import type { MailIn } from '#features/mailin';
import type { ReplyDoc } from '#features/replies';
import { departmentInCharge, isOnlineFor, repliersFor, repliersOf, type SiteDoc } from '#features/sites';
import { duplicateKey } from '#platform/http';
import {
  type MailDraft,
  type MailLink,
  type MailLinks,
  type MailText,
  mailName,
  mailPlural,
  mailText,
  type Quote,
} from '#platform/mail';
import { MINUTE_MS } from '#platform/time';
import {
  type ChatForUser,
  chatPath,
  claimPath,
  isClaimable,
  quickRepliesOf,
  quickText,
  quotable,
  replyPath,
} from './buttons.ts';
import {
  type NoticeContext,
  type NoticeDoc,
  NoticeModel,
  type NotifyDeps,
  type Outcome,
  TeamMailModel,
} from './model.ts';
import { isAwaitingPeople, isUnattended, scheduleHelpMail, WAITING_MAX_MS } from './schedule.ts';
import { answerable, quotesOf } from './visitorMail.ts';

/**
 * A site's team is mailed at most this often, however many chats begin; the next mail lists the chats that came meanwhile.
 */
const TEAM_MAIL_EVERY_MS = 5 * MINUTE_MS;
/** Messages of the visitor quoted in a mail about one chat, and per chat in a mail about several. */
const QUOTED_MAX = 10;
const QUOTED_MAX_EACH = 2;
/** Chats that a mail describes individually. */
const LISTED_MAX = 10;
/** Chats that one mail counts; further ones are left for the next mail. */
const GATHERED_MAX = 200;

/** A chat that the team is mailed about, in its current state. */
interface Waiting {
  notice: NoticeDoc;
  chat: ChatDoc;
}

/**
 * Mails all members who are given the chat and want such mails, if nobody has reacted: one mail about all due chats of the
 * site for which the same members are. The batch is stored before the first mail is queued, so that a retry after a crash sends the same mails under the
 * same ids.
 */
export async function mailTeam({ notice, chat, site }: NoticeContext, deps: NotifyDeps): Promise<Outcome> {
  const { mail, mailIn, presence, now } = deps;
  if (!isNeeded({ notice, chat })) return 'needless';
  if (hasSomebodyCome({ notice, chat }, isOnlineFor(site, chat, presence, now()))) return waitAsUsual(notice.since);
  const people = site.settings.notifications ? await readersOf(chat, site, now()) : [];
  if (people.length === 0) return { done: {} };
  const free = notice.batch ? null : await takeTurn(departmentInCharge(site, chat, now())?._id ?? site._id, now());
  if (free) return { again: free };
  const batch = notice.batch ?? (await gather({ notice, chat }, site, deps));
  const waiting = (await waitingOf({ batch }, GATHERED_MAX)).filter(isNeeded);
  for (const each of waiting) await scheduleHelpMail(each.chat, site, now());
  const content = await contentOf(waiting, site);
  const [one] = waiting.length === 1 ? waiting : [];
  const replies = one ? await quickRepliesOf(people, site) : null;
  for (const user of people) {
    const moreActions = one ? linksOf({ chat: one.chat, site, user }, replies?.get(user)) : [];
    const id = `${batch}:${user._id}`;
    const canAnswer = one?.chat.open && user.notifications?.answerByMail === true;
    const draft = { ...content, moreActions, to: user.email, language: user.language };
    await mail.send(
      mailIn && canAnswer ? await answeredBy(mailIn, user._id, one, draft, mail.messageId(id)) : draft,
      id,
    );
  }
  await NoticeModel.updateMany({ batch, site: site._id }, { $set: { doneAt: new Date(now()) }, $unset: { dueAt: 1 } });
  return { done: {} };
}

function isNeeded({ notice, chat }: Waiting): boolean {
  return notice.isOffline === true ? chat.unread > 0 && isAwaitingPeople(chat) : isUnattended(chat);
}

/** Whether no agent was online when the visitor wrote, but one is now. */
function hasSomebodyCome({ notice, chat }: Waiting, isOnline: boolean): boolean {
  return notice.isOffline === true && chat.open === true && isOnline;
}

/** The chat then waits like any other. */
function waitAsUsual(since: Date): Outcome {
  return { again: new Date(since.getTime() + WAITING_MAX_MS), change: { isOffline: false } };
}

/** Takes the turn of a site's team, or of a department's members, to be mailed. @returns null on success, otherwise the time of the next turn */
async function takeTurn(whose: Types.ObjectId, now: number): Promise<Date | null> {
  const before = { _id: whose, at: { $lte: new Date(now - TEAM_MAIL_EVERY_MS) } };
  try {
    await TeamMailModel.updateOne(before, { $set: { at: new Date(now) } }, { upsert: true });
    return null;
  } catch (error) {
    if (!duplicateKey(error)) throw error;
    const last = await TeamMailModel.findById(whose).lean();
    return new Date((last?.at.getTime() ?? now) + TEAM_MAIL_EVERY_MS);
  }
}

/** Puts all due notices of a site that the same members are to read into one batch. */
async function gather({ notice, chat }: Waiting, site: SiteDoc, { presence, now }: NotifyDeps): Promise<string> {
  const batch = randomUUID();
  const at = now();
  const inCharge = (of: ChatDoc) => String(departmentInCharge(site, of, at)?._id);
  const due = { site: site._id, kind: 'team' as const, batch: null, dueAt: { $lte: new Date(at) } };
  const others = (await waitingOf(due, GATHERED_MAX - 1)).filter(
    (each) =>
      isNeeded(each) &&
      !each.chat.blocked &&
      inCharge(each.chat) === inCharge(chat) &&
      !hasSomebodyCome(each, isOnlineFor(site, each.chat, presence, at)),
  );
  const ids = [notice, ...others.map((each) => each.notice)].map(({ _id }) => _id);
  await NoticeModel.updateMany({ _id: { $in: ids } }, { $set: { batch } });
  return batch;
}

/** Notices with their chats, the longest waiting first. */
async function waitingOf(filter: object, limit: number): Promise<Waiting[]> {
  const notices = await NoticeModel.find(filter).sort({ since: 1 }).limit(limit).lean<NoticeDoc[]>();
  const chats = await ChatModel.find({ _id: { $in: notices.map(({ chat }) => chat) } }).lean<ChatDoc[]>();
  const byId = new Map(chats.map((chat) => [chat._id.toHexString(), chat]));
  return notices.flatMap((notice) => {
    const chat = byId.get(notice.chat.toHexString());
    return chat ? [{ notice, chat }] : [];
  });
}

/** The members who are given a chat and have not switched such mails off; of a department where all have, the whole team's. */
async function readersOf(chat: ChatDoc, site: SiteDoc, at: number): Promise<UserDoc[]> {
  const some = await readers(repliersFor(site, chat, at));
  return some.length > 0 || !departmentInCharge(site, chat, at) ? some : readers(repliersOf(site));
}

async function readers(among: Types.ObjectId[]): Promise<UserDoc[]> {
  const users = await recipients({ _id: { $in: among } });
  return users.filter(({ notifications }) => notifications?.emailNotifications !== false);
}

/** A mail about one chat, so that a member can answer it. */
async function answeredBy(mailIn: MailIn, user: Types.ObjectId, one: Waiting, mail: MailDraft, messageId: string) {
  const { site, _id: chat, visitor } = one.chat;
  const sentence = mailText('Answer this mail, and {name} reads it in the chat.', { name: nameOf(one) });
  const draft = { ...mail, text: [...mail.text, sentence] };
  const of = { site, chat, visitor, user, to: mail.to };
  return { ...draft, ...(await answerable(mailIn, of, draft, messageId)) };
}

/** What the reader can do at once about a chat, besides opening it. */
function linksOf(of: ChatForUser, reply: ReplyDoc | undefined): MailLink<MailText>[] {
  const { chat, user } = of;
  if (!chat.open) return [];
  const text = reply && quickText(reply, of);
  return [
    ...(isClaimable(chat, user) ? [{ label: mailText('Claim'), path: claimPath(chat) }] : []),
    ...(reply && text
      ? [{ label: mailText('Reply “{text}”', { text: quotable(text) }), path: replyPath(chat, reply) }]
      : []),
  ];
}

/** The visitor's unread messages, or the newest one if all are read. */
async function unreadOf({ _id, receipts }: ChatDoc, limit: number): Promise<MessageDoc[]> {
  const newest = await MessageModel.find({ chat: _id }).sort({ seq: -1 }).limit(QUOTED_MAX).lean<MessageDoc[]>();
  const written = newest.reverse().filter(({ sender, deletedAt }) => sender === 'visitor' && !deletedAt);
  const unread = written.filter(({ seq }) => seq > receipts.staff.read);
  return (unread.length > 0 ? unread : written.slice(-1)).slice(-limit);
}

/** A chat's visitor, with the quoted messages. */
async function quoted(
  { chat }: Waiting,
  name: string | MailText,
  limit: number,
): Promise<(MailText | Quote<MailText>)[]> {
  const { email } = chat.visitorInfo;
  return [...quotesOf(await unreadOf(chat, limit), name), ...(email ? [mailText('Email: {email}', { email })] : [])];
}

const nameOf = ({ chat }: Waiting) => mailName(chat.visitorInfo.name, mailText('A visitor'));

async function contentOf(waiting: Waiting[], site: SiteDoc): Promise<Omit<MailDraft, 'to'>> {
  const where = mailName(site.name, mailText('your website'));
  const [first] = waiting;
  const isOffline = waiting.every(({ notice }) => notice.isOffline === true);
  const words = first && waiting.length === 1 ? await aboutOne(first, where) : await aboutSeveral(waiting, where);
  return {
    kind: isOffline ? 'offline' : 'waiting',
    ...words,
    footer: mailText(
      'You get this mail because you answer chats of {site}. You can turn these mails off in your settings under Notifications.',
      { site: where },
    ),
    behalf: { site: site._id.toHexString(), account: site.owner.toHexString() },
    about: [site._id, ...waiting.flatMap(({ chat }) => [chat._id, chat.visitor])].map(String),
  };
}

/** The links below a chat in a list, which are the same for everybody. */
function linksOfListed({ chat }: Waiting): MailLinks<MailText> {
  const claim = chat.open && chat.claimedBy === null ? [{ label: mailText('Claim'), path: claimPath(chat) }] : [];
  return { links: [...claim, { label: mailText('Open'), path: chatPath(chat) }] };
}

type Words = Pick<MailDraft, 'subject' | 'text' | 'action'>;

async function aboutOne(one: Waiting, site: string | MailText): Promise<Words> {
  const name = nameOf(one);
  const isOffline = one.notice.isOffline === true;
  const minutes = WAITING_MAX_MS / MINUTE_MS;
  return {
    subject: isOffline
      ? mailText('New message from {name} on {site}', { name, site })
      : mailText('{name} is waiting on {site}', { name, site }),
    text: [
      isOffline
        ? mailText('{name} wrote to {site} while your team was offline.', { name, site })
        : mailPlural(
            minutes,
            '{name} has been waiting for an answer on {site} for {count} minute.',
            '{name} has been waiting for an answer on {site} for {count} minutes.',
            { name, site },
          ),
      ...(await quoted(one, name, QUOTED_MAX)),
    ],
    action: { label: mailText('Open the chat'), path: chatPath(one.chat) },
  };
}

async function aboutSeveral(waiting: Waiting[], site: string | MailText): Promise<Words> {
  const listed = waiting.slice(0, LISTED_MAX);
  const each = async (one: Waiting) => [...(await quoted(one, nameOf(one), QUOTED_MAX_EACH)), linksOfListed(one)];
  const described = await Promise.all(listed.map(each));
  const more = waiting.length - listed.length;
  return {
    subject: mailPlural(waiting.length, '{count} chat is waiting on {site}', '{count} chats are waiting on {site}', {
      site,
    }),
    text: [
      mailPlural(
        waiting.length,
        '{count} chat is waiting for an answer on {site}.',
        '{count} chats are waiting for an answer on {site}.',
        { site },
      ),
      ...described.flat(),
      ...(more > 0 ? [mailPlural(more, 'And {count} more.', 'And {count} more.')] : []),
    ],
    action: { label: mailText('Open the inbox'), path: '/dashboard/inbox' },
  };
}
