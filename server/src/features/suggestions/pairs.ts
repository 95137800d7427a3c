import { Types } from 'mongoose';
import { ChatModel, isAnswer, type MessageDoc, MessageModel } from '#features/chats';
import { createRanking, languageOf, questionWords, type RankedSources } from '#features/knowledge';
import { inTurns } from '#platform/work';
import type { Suggestion } from './contract.ts';

/** The newest pairs of a site; earlier ones are not found. */
const PAIRS_MAX = 100_000;
/** Chats that are read at a time, and of each the first so many messages. */
const CHATS_AT_ONCE = 100;
const MESSAGES_MAX = 500;
/** Characters of a question that are read, and of an answer: one that is longer ends with a message before that. */
const QUESTION_MAX_LENGTH = 500;
const ANSWER_MAX_LENGTH = 1_500;
/** A shorter answer, or a question with fewer telling words, says nothing to anybody else. */
const ANSWER_MIN_LENGTH = 20;
const WORDS_MIN = 2;
/** Of a question that is shown as a title. */
const TITLE_MAX_LENGTH = 120;

const CLOSED = { bot: false, status: 'closed' } as const;
const FIELDS = { chat: 1, seq: 1, sender: 1, rule: 1, content: 1, file: 1, deletedAt: 1 } as const;
type Said = Pick<MessageDoc, 'chat' | 'seq' | 'sender' | 'rule' | 'content' | 'file' | 'deletedAt'>;

/** A question of a visitor, and what the team answered. */
interface Pair {
  /** Its first and last message. */
  from: number;
  to: number;
  question: string;
  answer: string;
}

/** The pairs of one chat. @param messages in the order of the chat */
function pairsOf(messages: Said[], lang: string): Pair[] {
  const pairs: Pair[] = [];
  let [asked, answered]: [Said[], Said[]] = [[], []];
  const close = () => {
    const question = join(asked, QUESTION_MAX_LENGTH);
    const answer = join(answered, ANSWER_MAX_LENGTH);
    const [from, to] = [asked[0]?.seq, answered.at(-1)?.seq];
    if (from !== undefined && to !== undefined && tells(question, answer, lang))
      pairs.push({ from, to, question, answer });
    [asked, answered] = [[], []];
  };
  for (const message of messages) {
    if (message.file || message.deletedAt) continue;
    if (isAnswer(message)) answered.push(message);
    if (message.sender !== 'visitor') continue;
    if (answered.length > 0) close();
    asked.push(message);
  }
  close();
  return pairs;
}

function tells(question: string, answer: string, lang: string): boolean {
  return answer.length >= ANSWER_MIN_LENGTH && questionWords(question, languageOf(question, lang)).length >= WORDS_MIN;
}

function join(messages: Said[], maxLength: number): string {
  let text = '';
  for (const { content } of messages) {
    if (text.length + content.length > maxLength) break;
    text += text === '' ? content : `\n${content}`;
  }
  return text;
}

/**
 * Makes the index of what a team has answered, from its closed chats. It holds words and ids, and no texts: whatever happens to a
 * message afterwards, `readPairs` reads what it says now.
 */
export async function buildPairs(site: Types.ObjectId, lang: string): Promise<RankedSources> {
  const pause = inTurns();
  const ranking = createRanking(lang, { passagesMax: PAIRS_MAX, keepsTexts: false });
  let [count, batch]: [number, Types.ObjectId[]] = [0, []];
  const addBatch = async () => {
    for (const [chat, messages] of await messagesOf(batch)) {
      for (const { from, to, question, answer } of pairsOf(messages, lang)) {
        const source = {
          id: `${chat}.${from}.${to}`,
          title: '',
          alsoAsked: [question],
          lang: languageOf(question, lang),
        };
        ranking.add({ ...source, passages: [{ headings: '', text: answer }] });
        count++;
      }
      await pause();
    }
    batch = [];
  };
  const chats = ChatModel.find({ site, ...CLOSED }, { _id: 1 })
    .sort({ lastActivity: -1, _id: -1 })
    .lean()
    .cursor();
  for await (const { _id } of chats) {
    batch.push(_id);
    if (batch.length === CHATS_AT_ONCE) await addBatch();
    if (count >= PAIRS_MAX) break;
  }
  await addBatch();
  return ranking.done(pause);
}

async function messagesOf(chats: Types.ObjectId[]): Promise<Map<string, Said[]>> {
  const found = await MessageModel.find({ chat: { $in: chats }, seq: { $lte: MESSAGES_MAX } }, FIELDS).lean<Said[]>();
  const all = new Map<string, Said[]>();
  for (const message of found.sort((a, b) => a.seq - b.seq)) {
    const id = message.chat.toHexString();
    const known = all.get(id);
    if (known) known.push(message);
    else all.set(id, [message]);
  }
  return all;
}

/** What these pairs say now; what was deleted, erased or is open again is left out. */
export async function readPairs(site: Types.ObjectId, ids: string[], lang: string): Promise<Suggestion[]> {
  const named = ids.map((id) => {
    const [chat = '', from, to] = id.split('.');
    return { id, chat: new Types.ObjectId(chat), seq: { $gte: Number(from), $lte: Number(to) } };
  });
  if (named.length === 0) return [];
  const [messages, chats] = await Promise.all([
    Promise.all(named.map(({ chat, seq }) => MessageModel.find({ chat, seq }, FIELDS).sort({ seq: 1 }).lean<Said[]>())),
    // By their ids alone: with all conditions, the store would look through the closed chats of the site.
    ChatModel.find({ _id: { $in: named.map(({ chat }) => chat) } }, { site: 1, status: 1 }).lean(),
  ]);
  const closed = chats.filter((chat) => chat.status === 'closed' && site.equals(chat.site));
  const readable = new Set(closed.map(({ _id }) => _id.toHexString()));
  return named.flatMap(({ id, chat }, at) => {
    const chatId = chat.toHexString();
    const [pair] = pairsOf(messages[at] ?? [], lang);
    if (!pair || !readable.has(chatId)) return [];
    return [{ id, kind: 'pair', title: pair.question.slice(0, TITLE_MAX_LENGTH), text: pair.answer, chatId }];
  });
}
