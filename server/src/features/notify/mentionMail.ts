import { recipients, type UserDoc } from '#features/auth';
import { type NoteDoc, NoteModel } from '#features/chats';
import { memberOf } from '#features/sites';
import { type MailDraft, mailName, mailText } from '#platform/mail';
import { MINUTE_MS } from '#platform/time';
import { type MentionDoc, MentionModel, notePath } from './mentions.ts';
import { MAX_AGE_MS, type NoticeContext, type NotifyDeps, type Outcome } from './model.ts';

/** A member is mailed about one chat at most this often; the next mail has all notes that came meanwhile. */
const MENTION_MAIL_EVERY_MS = 5 * MINUTE_MS;
/** Mentions that one notice covers. */
const GATHERED_MAX = 500;
/** Notes that one mail quotes: the newest ones. */
const QUOTED_MAX = 10;

/**
 * Mails the members whom notes of the chat mention and who have not read them: those who are offline and want such mails.
 * A mail's id is that of the newest mention in it, so that a retry after a crash sends none twice.
 */
export async function mailMentioned({ chat, site }: NoticeContext, deps: NotifyDeps): Promise<Outcome> {
  const unread = await MentionModel.find({ chat: chat._id, unread: true })
    .sort({ at: -1 })
    .limit(GATHERED_MAX)
    .lean<MentionDoc[]>();
  unread.reverse();
  const mentionedIds = [...new Set(unread.map(({ user }) => user.toHexString()))];
  let again: number | null = null;
  for (const user of await readers(mentionedIds, { chat, site }, deps)) {
    const mentions = unread.filter((mention) => mention.user.equals(user._id));
    const unmailed = mentions.filter(({ mailedAt, at }) => !mailedAt && at.getTime() > deps.now() - MAX_AGE_MS);
    const lastAt = Math.max(0, ...mentions.map(({ mailedAt }) => mailedAt?.getTime() ?? 0));
    if (unmailed.length === 0) continue;
    if (lastAt > deps.now() - MENTION_MAIL_EVERY_MS)
      again = Math.min(again ?? Infinity, lastAt + MENTION_MAIL_EVERY_MS);
    else await mailTo(user, unmailed, { chat, site }, deps);
  }
  return again === null ? { done: {} } : { again: new Date(again) };
}

type ChatOfSite = Pick<NoticeContext, 'chat' | 'site'>;

/** Those of these users who are still members, are offline, and have not switched such mails off. */
async function readers(ids: string[], { site }: ChatOfSite, { presence }: NotifyDeps): Promise<UserDoc[]> {
  const offline = ids.filter((id) => !presence.agentIsConnected(id));
  if (!site.settings.notifications || offline.length === 0) return [];
  const users = await recipients({ _id: { $in: offline } });
  return users.filter(({ _id, notifications }) => memberOf(site, _id) && notifications?.emailNotifications !== false);
}

async function mailTo(
  user: UserDoc,
  mentions: MentionDoc[],
  chatOfSite: ChatOfSite,
  { mail, now }: NotifyDeps,
): Promise<void> {
  const newest = mentions.at(-1);
  const quoted = mentions.slice(-QUOTED_MAX).map(({ note }) => note);
  const notes = await NoteModel.find({ _id: { $in: quoted } })
    .sort({ _id: 1 })
    .lean<NoteDoc[]>();
  if (newest && notes.length > 0)
    await mail.send(
      { ...contentOf(notes, chatOfSite, notePath(newest)), to: user.email, language: user.language },
      `mention:${newest._id}`,
    );
  const ids = mentions.map(({ _id }) => _id);
  await MentionModel.updateMany({ _id: { $in: ids } }, { $set: { mailedAt: new Date(now()) } });
}

function contentOf(notes: NoteDoc[], { chat, site }: ChatOfSite, path: string): Omit<MailDraft, 'to'> {
  const values = {
    site: mailName(site.name, mailText('your website')),
    who: mailName(notes.at(-1)?.authorName, mailText('A colleague')),
    visitor: mailName(chat.visitorInfo.name, mailText('a visitor')),
  };
  return {
    kind: 'mention',
    subject: mailText('{who} mentioned you on {site}', values),
    text: [
      mailText('{who} mentioned you in a note on the chat with {visitor}. Only your team sees notes.', values),
      ...notes.map(({ authorName, content }) => ({ by: mailName(authorName, mailText('A colleague')), text: content })),
    ],
    action: { label: mailText('Open the chat'), path },
    footer: mailText(
      'You get this mail because you are on the team of {site}. You can turn these mails off in your settings under Notifications.',
      values,
    ),
    behalf: { site: site._id.toHexString(), account: site.owner.toHexString() },
    about: [site._id, chat._id, chat.visitor].map(String),
  };
}
