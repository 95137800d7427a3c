import { type UserDoc, UserModel } from '../auth/model.ts';
import { type ChatDoc, type MessageDoc, MessageModel } from '../chats/model.ts';
import type { Letter } from '../mail/letter.ts';
import { memberOf } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import { siteIsOnline } from '../sites/online.ts';
import { can } from '../team/contract.ts';
import { isUnattended, WAITING_MAX_MS } from './arm.ts';
import type { Matter, NotifyDeps, Outcome } from './matter.ts';
import { quotesOf } from './quote.ts';

const MINUTE_MS = 60_000;
/** Messages of the visitor that a mail quotes. */
const QUOTED_MAX = 10;

/** Mails everybody who may answer the chat and wants to hear of it, if nobody has reacted. */
export async function mailTeam({ notice, chat, site }: Matter, deps: NotifyDeps): Promise<Outcome> {
  const { mail, presence, now } = deps;
  const isOffline = notice.isOffline === true;
  if (isOffline ? chat.unread === 0 : !isUnattended(chat)) return 'needless';
  if (isOffline && chat.open && siteIsOnline(site, presence, now())) return waitAsUsual(notice.since);
  const people = site.settings.notifications ? await readers(site) : [];
  const asked = await unreadOf(chat);
  for (const { _id, email } of people)
    await mail.send({ ...letterOf(chat, site, isOffline, asked), to: email }, `${notice.key}:${_id}`);
  return { done: {} };
}

/** Somebody came: from then on it is a chat that waits like any other. */
function waitAsUsual(since: Date): Outcome {
  return { again: new Date(since.getTime() + WAITING_MAX_MS), change: { isOffline: false } };
}

/** The members who may answer and have not switched such mails off. */
async function readers(site: SiteDoc): Promise<UserDoc[]> {
  const ids = site.team.flatMap(({ user }) => {
    const member = memberOf(site, user);
    return member && can(member, 'chats.reply') ? [user] : [];
  });
  const users = await UserModel.find({ _id: { $in: ids } }).lean<UserDoc[]>();
  return users.filter(
    ({ notifications, suspendedAt, deletedAt }) =>
      notifications?.emailNotifications !== false && !suspendedAt && !deletedAt,
  );
}

/** What the visitor wrote and nobody has read, or the newest words where all was read. */
async function unreadOf({ _id, receipts }: ChatDoc): Promise<MessageDoc[]> {
  const newest = await MessageModel.find({ chat: _id }).sort({ seq: -1 }).limit(QUOTED_MAX).lean<MessageDoc[]>();
  const written = newest.reverse().filter(({ sender }) => sender === 'visitor');
  const unread = written.filter(({ seq }) => seq > receipts.staff.read);
  return unread.length > 0 ? unread : written.slice(-1);
}

function letterOf(chat: ChatDoc, site: SiteDoc, isOffline: boolean, asked: MessageDoc[]): Omit<Letter, 'to'> {
  const name = chat.visitorInfo.name ?? 'A visitor';
  const minutes = WAITING_MAX_MS / MINUTE_MS;
  const { email } = chat.visitorInfo;
  return {
    kind: isOffline ? 'offline' : 'waiting',
    subject: isOffline ? `New message from ${name} on ${site.name}` : `${name} is waiting on ${site.name}`,
    text: [
      isOffline
        ? `${name} wrote on ${site.name} while nobody was there to answer.`
        : `${name} has been waiting on ${site.name} for ${minutes} minutes, and nobody has answered yet.`,
      ...quotesOf(asked, name),
      ...(email ? [`Email: ${email}`] : []),
    ],
    action: { label: 'Open the chat', path: `/dashboard/inbox?chat=${chat._id}` },
    footer: `You get this mail because you answer chats of ${site.name}. Switch such mails off in your settings under Notifications.`,
    about: [site._id, chat._id, chat.visitor].map(String),
  };
}
