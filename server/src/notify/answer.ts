import { type MessageDoc, MessageModel } from '../chats/model.ts';
import type { Letter } from '../mail/letter.ts';
import { mailName } from '../mail/names.ts';
import type { SiteDoc } from '../sites/model.ts';
import { type VisitorDoc, VisitorModel } from '../visitors/model.ts';
import { RESUME_DAYS } from '../visitors/resume.ts';
import { ANSWER_AFTER_MS } from './arm.ts';
import type { Matter, NotifyDeps, Outcome } from './matter.ts';
import { quotesOf } from './quote.ts';

/** Answers in one mail; what is more is read in the chat. */
const ANSWERS_MAX = 20;

/** Mails a visitor who left what was answered meanwhile, with the way back into the chat. */
export async function mailVisitor({ notice, chat, site }: Matter, deps: NotifyDeps): Promise<Outcome> {
  const { mail, presence, links, now } = deps;
  const visitor = await VisitorModel.findOne({ _id: chat.visitor, erasedAt: null }).lean<VisitorDoc>();
  if (!visitor?.email || visitor.blocked || !site.widgetEnabled) return { done: {} };
  const seen = Math.max(chat.receipts.visitor.read, notice.mailedSeq ?? 0);
  const answers = await MessageModel.find({ chat: chat._id, seq: { $gt: seen }, sender: 'agent' })
    .sort({ seq: 1 })
    .limit(ANSWERS_MAX)
    .lean<MessageDoc[]>();
  const last = answers.at(-1);
  if (!last) return { done: {} };
  if (presence.visitorIsOnline(visitor._id.toHexString())) return { again: new Date(now() + ANSWER_AFTER_MS) };
  const letter = letterOf(visitor, site, answers);
  const path = links.pathFor(visitor);
  const about = [site._id, chat._id, visitor._id].map(String);
  const action = { label: 'Go on with the chat', path };
  const behalf = { site: site._id.toHexString(), account: site.owner.toHexString() };
  await mail.send({ ...letter, to: visitor.email, action, about, behalf }, `${notice.key}:${last.seq}`);
  return { done: { mailedSeq: last.seq } };
}

function letterOf(visitor: VisitorDoc, site: SiteDoc, answers: MessageDoc[]): Omit<Letter, 'to'> {
  const where = mailName(site.name, 'a website');
  const writer = mailName(answers.at(-1)?.authorName, where);
  const name = mailName(visitor.name, '');
  return {
    kind: 'answer',
    fromName: where,
    subject: `${writer} answered you on ${where}`,
    text: [
      `${name ? `Hello ${name},` : 'Hello,'} here is what you were answered in the chat of ${where}:`,
      ...quotesOf(answers, 'You'),
    ],
    footer: [
      `You get this mail because this address was left in the chat of ${where}.`,
      `The link opens that chat on any device for ${RESUME_DAYS} days, so keep it to yourself.`,
      'Answers to this mail are not read. If you stay in the chat while it goes on, nothing is mailed.',
    ].join(' '),
  };
}
