import { type ChatDoc, type MessageDoc, MessageModel } from '#features/chats';
import { ANSWER_ABOVE, type Correspondence, type MailIn } from '#features/mailin';
import type { SiteDoc } from '#features/sites';
import { isBounced, markBounced, RESUME_DAYS, type VisitorDoc, VisitorModel } from '#features/visitors';
import { events } from '#platform/events';
import { type MailDraft, type MailText, mailName, mailPlural, mailText, ownWords, type Quote } from '#platform/mail';
import { MAX_AGE_MS, type NoticeContext, type NotifyDeps, type Outcome } from './model.ts';
import { ANSWER_AFTER_MS } from './schedule.ts';

/** Messages as quotations in a mail, with their authors. @param visitor the visitor's name */
export function quotesOf(messages: MessageDoc[], visitor: string | MailText): Quote<MailText>[] {
  return messages.map((message) => ({
    by: writerOf(message, visitor),
    text: message.content,
    formatted: message.formatted,
    message: message._id.toHexString(),
  }));
}

/** The author of a message. */
function writerOf({ sender, authorName }: MessageDoc, visitor: string | MailText): string | MailText {
  if (sender !== 'assistant') return mailName(authorName, sender === 'visitor' ? visitor : 'Parley');
  return authorName === null
    ? mailText('Automatic assistant')
    : mailText('{name}, automatic assistant', { name: mailName(authorName, '') });
}

/** Answers in one mail; further ones are read in the chat. */
const ANSWERS_MAX = 20;

/** Mails a visitor who left the answers since then, with a link back into the chat. */
export async function mailVisitor({ notice, chat, site }: NoticeContext, deps: NotifyDeps): Promise<Outcome> {
  const { mail, mailIn, presence, links, now } = deps;
  const visitor = await VisitorModel.findOne({ _id: chat.visitor, erasedAt: null }).lean<VisitorDoc>();
  if (!visitor?.email || isBounced(visitor) || visitor.blocked || !site.widgetEnabled) return { done: {} };
  const seen = Math.max(chat.receipts.visitor.read, notice.mailedSeq ?? 0);
  const since = new Date(now() - MAX_AGE_MS);
  const unseen = { seq: { $gt: seen }, createdAt: { $gt: since } };
  const answers = await MessageModel.find({ chat: chat._id, ...unseen, sender: 'agent', deletedAt: null })
    .sort({ seq: 1 })
    .limit(ANSWERS_MAX)
    .lean<MessageDoc[]>();
  const last = answers.at(-1);
  if (!last) return { done: {} };
  if (presence.visitorIsOnline(visitor._id.toHexString())) return { again: new Date(now() + ANSWER_AFTER_MS) };
  const id = `${notice.key}:${last.seq}`;
  const of = { site: site._id, chat: chat._id, visitor: visitor._id, user: null, to: visitor.email };
  const path = links.pathFor(visitor);
  const about = [site._id, chat._id, visitor._id].map(String);
  const action = { label: mailText('Continue the chat'), path };
  const behalf = { site: site._id.toHexString(), account: site.owner.toHexString() };
  const content = answerContent(visitor, site, answers, mailIn !== null);
  const draft = { ...content, to: visitor.email, language: visitor.speaks, action, about, behalf };
  await mail.send({ ...draft, ...(mailIn && (await answerable(mailIn, of, draft, mail.messageId(id)))) }, id);
  return { done: { mailedSeq: last.seq } };
}

/** What makes a mail about a chat answerable. @param messageId that of the mail */
export async function answerable(
  { addresses }: MailIn,
  of: Correspondence,
  mail: MailDraft,
  messageId: string,
): Promise<Pick<MailDraft, 'above' | 'replyTo' | 'references'>> {
  return { above: ANSWER_ABOVE, ...(await addresses.answerable(of, messageId, ownWords(mail))) };
}

function answerContent(
  visitor: VisitorDoc,
  site: SiteDoc,
  answers: MessageDoc[],
  canBeAnswered: boolean,
): Omit<MailDraft, 'to'> {
  const where = mailName(site.name, mailText('a website'));
  const name = mailName(visitor.name, '');
  const values = { name, site: where };
  return {
    kind: 'answer',
    fromName: where,
    // The same whoever answers: mail programs keep mails of one subject together.
    subject: mailText('{site} replied to you', values),
    text: [
      name
        ? mailText('Hello {name}, you have a reply in your chat with {site}:', values)
        : mailText('Hello, you have a reply in your chat with {site}:', values),
      ...quotesOf(answers, mailText('You')),
    ],
    footer: canBeAnswered
      ? mailPlural(
          RESUME_DAYS,
          'You get this mail because you left your address in the chat of {site}. Answer this mail, or continue the chat by the link, which opens it on any device for {count} day. So do not share this mail.',
          'You get this mail because you left your address in the chat of {site}. Answer this mail, or continue the chat by the link, which opens it on any device for {count} days. So do not share this mail.',
          values,
        )
      : mailPlural(
          RESUME_DAYS,
          'You get this mail because you left your address in the chat of {site}. The link opens your chat on any device for {count} day, so do not share it. Please answer in the chat: replies to this mail are not read.',
          'You get this mail because you left your address in the chat of {site}. The link opens your chat on any device for {count} days, so do not share it. Please answer in the chat: replies to this mail are not read.',
          values,
        ),
  };
}

/** Remembers visitors' addresses that the mail server says do not exist, so that nothing is mailed to them again. @returns a disposer */
export function rememberRefusals({ now }: Pick<NotifyDeps, 'now'>): () => void {
  return events.on('mailRefused', async ({ kind, to, about, status }) => {
    if (kind !== 'answer') return;
    const visitor = await VisitorModel.findOne({ _id: { $in: about } }, { _id: 1 }).lean();
    if (visitor) await markBounced(visitor._id, { email: to, status }, now());
  });
}

/** The most messages in a mailed copy, and the most text in UTF-16 units; of longer chats it has the newest messages. */
const TRANSCRIPT_MESSAGES_MAX = 500;
const TRANSCRIPT_TEXT_MAX = 100_000;

/** The mailed copy of a chat for its visitor: what the visitor, the team and the assistant wrote. */
export async function transcriptMail(
  chat: ChatDoc,
  site: SiteDoc,
  { to, language }: { to: string; language: string | undefined },
): Promise<MailDraft> {
  const where = mailName(site.name, mailText('a website'));
  const newest = await MessageModel.find({ chat: chat._id, sender: { $ne: 'system' } })
    .sort({ seq: -1 })
    .limit(TRANSCRIPT_MESSAGES_MAX)
    .lean<MessageDoc[]>();
  const messages = within(newest, TRANSCRIPT_TEXT_MAX).reverse();
  const isCut = (messages[0]?.seq ?? 1) > 1;
  return {
    kind: 'transcript',
    to,
    language,
    fromName: where,
    subject: mailText('Your chat with {site}', { site: where }),
    text: [
      mailText('Here is a copy of your chat with {site} on {day}.', { site: where, day: dayOf(chat.createdAt) }),
      ...(isCut
        ? [
            mailPlural(
              messages.length,
              'The chat is long, so this copy has only its last message.',
              'The chat is long, so this copy has only its last {count} messages.',
            ),
          ]
        : []),
      ...messages.map((message) => ({
        by: mailText('{name}, {time} UTC', {
          name: writerOf(message, mailText('You')),
          time: `${dayOf(message.createdAt)} ${timeOf(message.createdAt)}`,
        }),
        text: message.content,
        formatted: message.formatted,
        message: message._id.toHexString(),
      })),
    ],
    footer: mailText(
      'You get this mail because someone asked for it in the chat of {site}. You will get no further mails.',
      { site: where },
    ),
    behalf: { site: site._id.toHexString(), account: site.owner.toHexString() },
    about: [site._id, chat._id, chat.visitor].map(String),
  };
}

/** The longest prefix of the list whose texts together fit the maximum. */
function within(messages: MessageDoc[], textMax: number): MessageDoc[] {
  let room = textMax;
  return messages.filter(({ content }) => {
    room -= content.length;
    return room >= 0;
  });
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const timeOf = (at: Date) => at.toISOString().slice(11, 16);
