import { createHash } from 'node:crypto';
import { Schema, Types } from 'mongoose';
import type { UnansweredQuestion } from '#features/articles/contract';
import { questionWords } from '#features/knowledge';
import { eachSite, type SiteDoc } from '#features/sites';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { storable } from '#platform/text';
import { DAY_MS } from '#platform/time';
import { findArticles } from './find.ts';

/** What was asked for without a good hit. Questions with the same words are one. */
interface QuestionDoc {
  /** A hash of site, language and words, so that two nodes that store the same question at once store it once. */
  _id: Types.ObjectId;
  site: Types.ObjectId;
  lang: string;
  question: string;
  count: number;
  lastAt: Date;
  /** The visitor who asked; absent: unknown. */
  visitor?: Types.ObjectId;
}

const questionSchema = new Schema<QuestionDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    lang: { type: String, required: true },
    question: { type: String, required: true },
    count: { type: Number, required: true },
    lastAt: { type: Date, required: true },
    visitor: { type: Schema.Types.ObjectId },
  },
  { versionKey: false },
);
questionSchema.index({ site: 1, count: 1, lastAt: 1 });
questionSchema.index({ visitor: 1 });
const QuestionModel = defineModel<QuestionDoc>('ArticleQuestion', questionSchema, 'articleQuestions');

const QUESTION_MAX_LENGTH = 200;
/** The questions that are kept of a site; the rarest, and among those the oldest, go first. */
const QUESTIONS_MAX = 200;
/** Questions with fewer words are ignored: they are greetings or typing errors. */
const WORDS_MIN = 2;
const HIDDEN = '…';
const ID_LENGTH = 24;
/** Removed before a question is stored: mail addresses, and numbers of phones, cards or orders. */
const PERSONAL = /[^\s@]{1,64}@[^\s@]{1,255}|\+?\d[\d\s./()-]{2,40}\d/g;

/** What is asked, and where it comes from. */
interface Asked {
  text: string;
  lang: string;
  visitor?: Types.ObjectId;
}

/** Remembers a question for which there was no good article. */
export async function rememberQuestion(site: SiteDoc, { text, lang, visitor }: Asked): Promise<void> {
  const question = storable(text).slice(0, QUESTION_MAX_LENGTH).replace(PERSONAL, HIDDEN).replace(/\s+/g, ' ').trim();
  const words = questionWords(question, lang);
  if (words.length < WORDS_MIN) return;
  const key = JSON.stringify([site._id, lang, words]);
  const _id = new Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, ID_LENGTH));
  const { upsertedCount } = await QuestionModel.updateOne(
    { _id },
    {
      $inc: { count: 1 },
      $set: { lastAt: new Date() },
      $setOnInsert: { site: site._id, lang, question, ...(visitor && { visitor }) },
    },
    { upsert: true },
  );
  if (upsertedCount > 0) await dropRarest(site._id);
}

async function dropRarest(site: Types.ObjectId): Promise<void> {
  const excess = (await QuestionModel.countDocuments({ site })) - QUESTIONS_MAX;
  if (excess <= 0) return;
  const rarest = await QuestionModel.find({ site }, { _id: 1 })
    .sort({ count: 1, lastAt: 1 })
    .limit(excess)
    .lean<Pick<QuestionDoc, '_id'>[]>();
  await QuestionModel.deleteMany({ _id: { $in: rarest.map(({ _id }) => _id) } });
}

/** What was asked without a good hit, the most frequent first. */
export async function unansweredQuestions(site: Types.ObjectId): Promise<UnansweredQuestion[]> {
  const stored = await QuestionModel.find({ site }).sort({ count: -1, lastAt: -1 }).lean<QuestionDoc[]>();
  return stored.map(({ _id, question, lang, count, lastAt }) => ({
    _id: _id.toHexString(),
    question,
    lang,
    count,
    lastAt: lastAt.toISOString(),
  }));
}

/** Removes a question that the team has dealt with. */
export async function removeQuestion(site: Types.ObjectId, _id: string): Promise<void> {
  await QuestionModel.deleteOne({ _id, site });
}

/** Remembers what chats begin with, and forgets what people asked who are erased. @returns a disposer */
export function followQuestions(): () => void {
  return events.stopAll([
    events.on('messageStored', async ({ site, chat, message: { seq, sender, file, content } }) => {
      if (!site.help?.enabled || seq !== 1 || sender !== 'visitor' || file || chat.bot) return;
      const lang = site.help.language;
      const found = await findArticles(site, content, { lang, limit: 1, publicUrl: null });
      if (found.length === 0) await rememberQuestion(site, { text: content, lang, visitor: chat.visitor });
    }),
    events.on('visitorErased', ({ site, visitor }) => forgetVisitor(site, visitor._id)),
    events.on('chatRemoved', ({ site, chat }) => forgetVisitor(site, chat.visitor)),
  ]);
}

async function forgetVisitor({ help }: SiteDoc, visitor: Types.ObjectId): Promise<void> {
  if (help) await QuestionModel.deleteMany({ visitor });
}

/** Deletes questions that are older than their site keeps chats. */
export function removeOldQuestions(now: number, signal: AbortSignal): Promise<void> {
  return eachSite(signal, async ({ _id, settings: { retentionDays } }) => {
    if (retentionDays === 0) return;
    await QuestionModel.deleteMany({ site: _id, lastAt: { $lt: new Date(now - retentionDays * DAY_MS) } });
  });
}

/** Removes the questions of a deleted site. */
export async function purgeQuestions(site: Types.ObjectId): Promise<void> {
  await QuestionModel.deleteMany({ site });
}
