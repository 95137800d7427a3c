import { type ChatDoc, ChatModel, HAS_MESSAGES, isAnswer, type MessageDoc, MessageModel } from '#features/chats';
import type { RuleDoc, SiteDoc } from '#features/sites';
import { type VisitorDoc, VisitorModel } from '#features/visitors';
import { MINUTE_MS } from '#platform/time';
import { conditionsHold, type Facts, folded } from './conditions.ts';
import { RULE_TRIAL_CHATS, type RuleMatch } from './contract.ts';

/** The newest messages of a chat that are looked at. */
const MESSAGES_EACH = 30;
/** Fields that cost: texts are read only where a rule asks for words. */
const WITHOUT_TEXT = { content: 0, mail: 0, file: 0, sources: 0 } as const;

/**
 * To which of a site's newest chats a rule would have applied, newest first, as far as stored data can tell: pages, attributes and
 * departments are as they are now. Nothing is changed.
 */
export async function tryRule(
  site: SiteDoc,
  rule: RuleDoc,
  now: number,
): Promise<{ chats: number; matches: RuleMatch[] }> {
  const chats = await ChatModel.find({ site: site._id, bot: false, ...HAS_MESSAGES })
    .sort({ lastActivity: -1, _id: -1 })
    .limit(RULE_TRIAL_CHATS)
    .lean<ChatDoc[]>();
  const visitors = await visitorsOf(chats);
  const matches: RuleMatch[] = [];
  // One after the other, so that others are served in between.
  for (const chat of chats) {
    const visitor = visitors.get(chat.visitor.toHexString()) ?? null;
    const at = await lastMatch(site, { chat, visitor }, rule, now);
    if (at !== null)
      matches.push({
        chatId: chat._id.toHexString(),
        visitorName: chat.visitorInfo.name,
        at: new Date(at).toISOString(),
      });
  }
  return { chats: chats.length, matches };
}

async function visitorsOf(chats: ChatDoc[]): Promise<Map<string, VisitorDoc>> {
  const ids = chats.map(({ visitor }) => visitor);
  const found = await VisitorModel.find({ _id: { $in: ids } }, { page: 1, speaks: 1, attributes: 1 }).lean<
    VisitorDoc[]
  >();
  return new Map(found.map((visitor) => [visitor._id.toHexString(), visitor]));
}

/** When the rule would have applied to a chat last, in milliseconds; null: never. */
async function lastMatch(
  site: SiteDoc,
  { chat, visitor }: Pick<Facts, 'visitor'> & { chat: ChatDoc },
  rule: RuleDoc,
  now: number,
): Promise<number | null> {
  const moments = await momentsOf(chat, rule, now);
  const { score = null } = chat.rating ?? {};
  const holds = ({ at, message }: Moment) =>
    conditionsHold(rule, { site, chat, visitor, at, words: message && folded(message.content ?? ''), score });
  return moments.find(holds)?.at ?? null;
}

/** A moment in a chat for which a rule may have waited, and the visitor's message that it is about. */
interface Moment {
  at: number;
  message: (Pick<MessageDoc, 'createdAt'> & Partial<MessageDoc>) | null;
}

/** The moments of a rule's event, newest first. */
async function momentsOf(chat: ChatDoc, rule: RuleDoc, now: number): Promise<Moment[]> {
  switch (rule.event) {
    case 'closed':
      return chat.closedAt && !chat.open ? [{ at: chat.closedAt.getTime(), message: null }] : [];
    case 'rated':
      return chat.rating ? [{ at: (chat.ratedAt ?? chat.lastActivity).getTime(), message: null }] : [];
    case 'opened':
      return (await messagesOf(chat, rule, { seq: 1, sender: 'visitor' })).map(momentOf);
    case 'message':
      return (await messagesOf(chat, rule, { sender: 'visitor' })).map(momentOf);
    case 'unanswered':
      return waitsOf(await messagesOf(chat, rule), (rule.minutes ?? 0) * MINUTE_MS, now);
  }
}

const momentOf = (message: MessageDoc): Moment => ({ at: message.createdAt.getTime(), message });

function messagesOf({ _id: chat }: ChatDoc, { conditions }: RuleDoc, which: object = {}): Promise<MessageDoc[]> {
  return MessageModel.find({ chat, ...which }, conditions.words ? {} : WITHOUT_TEXT)
    .sort({ seq: -1 })
    .limit(MESSAGES_EACH)
    .lean<MessageDoc[]>()
    .exec();
}

/** When the visitor had waited for so long, newest first. @param messages newest first */
function waitsOf(messages: MessageDoc[], waitMs: number, now: number): Moment[] {
  const waits: Moment[] = [];
  let since: MessageDoc | null = null;
  const endAt = (end: number) => {
    if (since && since.createdAt.getTime() + waitMs <= end)
      waits.unshift({ at: since.createdAt.getTime() + waitMs, message: since });
    since = null;
  };
  for (const message of messages.toReversed()) {
    const isAnswered = message.sender === 'assistant' || isAnswer(message);
    if (message.sender === 'visitor') since ??= message;
    else if (isAnswered || message.event === 'closed') endAt(message.createdAt.getTime());
  }
  endAt(now);
  return waits;
}
