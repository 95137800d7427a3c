import type { Types } from 'mongoose';
import { assistantOf } from '#features/assistant';
import { type ChatAccess, isAnswer, type MessageDoc, MessageModel } from '#features/chats';
import { findArticles } from '#features/help';
import { createRanking, languageOf } from '#features/knowledge';
import { type ReplyDoc, ReplyModel } from '#features/replies';
import type { SiteDoc } from '#features/sites';
import { inTurns } from '#platform/work';
import { SUGGESTIONS_MAX, type Suggestion } from './contract.ts';
import { keptIndexes } from './kept.ts';
import { buildPairs, readPairs } from './pairs.ts';

/** The memory for the indexes of all sites together. A hundred thousand pairs take about 30 MB. */
const PAIRS_BYTES_MAX = 128 * 2 ** 20;
const REPLIES_BYTES_MAX = 16 * 2 ** 20;
/** The visitor's last messages that are read as one question, and its characters. */
const MESSAGES_MAX = 10;
const QUESTION_MAX_LENGTH = 1_000;
/** Hits that are read: some of them are gone by now, say the same, or belong to colleagues. */
const HITS_MAX = 8;

/** The language of texts that do not show theirs. */
const usualLanguage = ({ help }: SiteDoc) => help?.language ?? 'en';

const pairs = keptIndexes<SiteDoc>('pairs', PAIRS_BYTES_MAX, (site) => buildPairs(site._id, usualLanguage(site)));

const replies = keptIndexes<SiteDoc>('replies', REPLIES_BYTES_MAX, async (site) => {
  const pause = inTurns();
  const ranking = createRanking(usualLanguage(site), { keepsTexts: false });
  for (const { _id, shortcut, content } of await ReplyModel.find({ site: site._id }).lean<ReplyDoc[]>()) {
    const source = {
      id: _id.toHexString(),
      title: shortcut,
      alsoAsked: [],
      lang: languageOf(content, usualLanguage(site)),
    };
    ranking.add({ ...source, passages: [{ headings: '', text: content }] });
    await pause();
  }
  return ranking.done(pause);
});

/** For whom, and from where: `publicUrl` is the origin of this server. */
interface Asker {
  user: Types.ObjectId;
  publicUrl: string;
}

/** What an agent may answer to the visitor's last messages: the best of each kind first. */
export async function suggestionsFor({ chat, site }: ChatAccess, asker: Asker): Promise<Suggestion[]> {
  if (assistantOf(site).step === 'links' || chat.status === 'closed') return [];
  const question = await unanswered(chat._id);
  if (question === '') return [];
  const lang = languageOf(question, usualLanguage(site));
  const found = await Promise.all([
    suggestedReplies(site, question, { lang, user: asker.user }),
    suggestedArticles(site, question, asker.publicUrl),
    suggestedPairs(site, question, lang),
  ]);
  const inTurn = Array.from({ length: SUGGESTIONS_MAX }, (_, i) => found.flatMap((ofKind) => ofKind[i] ?? [])).flat();
  const once = new Map(inTurn.toReversed().map((suggestion) => [suggestion.text.trim(), suggestion]));
  return inTurn.filter((suggestion) => once.get(suggestion.text.trim()) === suggestion).slice(0, SUGGESTIONS_MAX);
}

/** What the visitor has written since a person answered; empty: nothing. */
async function unanswered(chat: Types.ObjectId): Promise<string> {
  const said = await MessageModel.find({ chat }, { sender: 1, rule: 1, content: 1, file: 1, deletedAt: 1 })
    .sort({ seq: -1 })
    .limit(MESSAGES_MAX)
    .lean<Pick<MessageDoc, 'sender' | 'rule' | 'content' | 'file' | 'deletedAt'>[]>();
  const answered = said.findIndex(isAnswer);
  const since = answered === -1 ? said : said.slice(0, answered);
  const texts = since.filter(({ sender, file, deletedAt }) => sender === 'visitor' && !file && !deletedAt);
  return texts
    .map(({ content }) => content)
    .toReversed()
    .join('\n')
    .slice(-QUESTION_MAX_LENGTH)
    .trim();
}

async function suggestedReplies(
  site: SiteDoc,
  question: string,
  { lang, user }: { lang: string; user: Types.ObjectId },
): Promise<Suggestion[]> {
  const hits = (await replies(site))?.find(question, HITS_MAX, { level: 'suggest', lang }) ?? [];
  if (hits.length === 0) return [];
  const ids = hits.map(({ id }) => id);
  const stored = await ReplyModel.find({ _id: { $in: ids }, site: site._id }).lean<ReplyDoc[]>();
  return ids.flatMap((id) => {
    const reply = stored.find(({ _id }) => _id.toHexString() === id);
    if (!reply || (reply.owner && !reply.owner.equals(user))) return [];
    return [{ id, kind: 'reply', title: `/${reply.shortcut}`, text: reply.content }];
  });
}

async function suggestedArticles(site: SiteDoc, question: string, publicUrl: string): Promise<Suggestion[]> {
  if (!site.help?.enabled) return [];
  const { language, languages } = site.help;
  const read = languageOf(question, language);
  const lang = [language, ...languages].find((each) => each === read) ?? language;
  const found = await findArticles(site, question, { lang, limit: SUGGESTIONS_MAX, level: 'suggest', publicUrl });
  return found.map(({ _id, title, excerpt, url }) => ({ id: _id, kind: 'article', title, text: excerpt, url }));
}

async function suggestedPairs(site: SiteDoc, question: string, lang: string): Promise<Suggestion[]> {
  const hits = (await pairs(site))?.find(question, HITS_MAX, { level: 'suggest', lang }) ?? [];
  return readPairs(
    site._id,
    hits.map(({ id }) => id),
    usualLanguage(site),
  );
}
