import type { Types } from 'mongoose';
import { ARTICLE_LANGUAGES, type ArticleLanguage } from '#features/articles/contract';
import { type ChatAccess, type MessageDoc, readThread } from '#features/chats';
import { VisitorModel } from '#features/visitors';
import { SECOND_MS } from '#platform/time';
import type { DraftBody } from '../contract.ts';
import type { ModelAnswer } from '../model/client.ts';
import type { Model } from '../model/model.ts';
import { createMasks, type Masks } from '../model/prompt.ts';
import { passagesAbout } from './knowledge.ts';
import { type DraftOrder, promptFor, tokensFor } from './prompts.ts';

const MESSAGES_MAX = 8;
const SUMMARY_MESSAGES_MAX = 60;
/** The characters of a conversation that are sent; of longer ones the end. */
const THREAD_MAX_LENGTH = 12_000;
/** An agent sees that something is under way, and may stop it: a model may think for longer than a visitor would wait. */
const [FIRST_TOKEN_MS, TOTAL_MS] = [60 * SECOND_MS, 180 * SECOND_MS];

/** Who wants what for which chat. */
interface Wish extends ChatAccess {
  user: Types.ObjectId;
  body: DraftBody;
}

/** Asks the model for an agent. @param say hears the answer piece by piece @throws ModelError, AppError `BUDGET_SPENT` */
export async function draft(
  model: Model,
  wish: Wish,
  { signal, say }: { signal: AbortSignal; say: (piece: string) => void },
): Promise<ModelAnswer> {
  const masks = createMasks();
  const order = await orderOf(wish, masks);
  const reveal = (piece: string, isLast?: boolean) => {
    const shown = masks.reveal(piece, isLast);
    if (shown !== '') say(shown);
  };
  const answer = await model.stream(wish.site, promptFor(order), {
    maxTokens: tokensFor(order),
    signal,
    firstTokenMs: FIRST_TOKEN_MS,
    totalMs: TOTAL_MS,
    onText: (piece) => reveal(piece),
  });
  reveal('', true);
  return answer;
}

async function orderOf({ chat, site, user, body }: Wish, masks: Masks): Promise<DraftOrder> {
  const { action, text = '', language } = body;
  const needsThread = action === 'draft' || action === 'summary' || action === 'translate-for-visitor';
  const [messages, speaks] = await Promise.all([
    needsThread ? lastMessages(chat._id, action === 'summary' ? SUMMARY_MESSAGES_MAX : MESSAGES_MAX) : [],
    languageOf(chat.visitor),
  ]);
  const lang = toArticleLanguage(speaks) ?? site.help?.language ?? 'en';
  const asked = messages.filter(({ sender }) => sender === 'visitor').map(({ content }) => content);
  const passages =
    action === 'draft' ? await passagesAbout(site, { question: asked.slice(-2).join('\n'), lang, user }) : [];
  const isForVisitor = action === 'draft' || action === 'translate-for-visitor';
  return {
    action,
    thread: masks.hide(messages.map(lineOf).join('\n')).slice(-THREAD_MAX_LENGTH),
    passages,
    text: masks.hide(text),
    language: nameOf(isForVisitor ? (speaks ?? lang) : language),
  };
}

/** What was said last by people: nothing of the system, no notes, and nothing that was deleted. */
async function lastMessages(chat: Types.ObjectId, count: number): Promise<MessageDoc[]> {
  const { messages } = await readThread(chat, { limit: count });
  return messages.filter(({ sender, deletedAt }) => sender !== 'system' && !deletedAt);
}

const lineOf = ({ sender, content, file }: MessageDoc) =>
  `${sender === 'visitor' ? 'Visitor' : 'Team'}: ${file ? '(a file)' : content}`;

/** The language in which the visitor's widget was shown last. */
async function languageOf(visitor: Types.ObjectId): Promise<string | undefined> {
  return (await VisitorModel.findById(visitor, { speaks: 1 }).lean())?.speaks;
}

const toArticleLanguage = (tag = ''): ArticleLanguage | undefined =>
  ARTICLE_LANGUAGES.find((language) => language === tag.split('-')[0]);

/** A language in English, as models know it best. */
function nameOf(tag: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return 'English';
  }
}
