import type { Types } from 'mongoose';
import { peopleById } from '#features/auth';
import { isDuplicate, notFound } from '#platform/http';
import { MINUTE_MS } from '#platform/time';
import { ARTICLE_VERSIONS_MAX, type ArticleLanguage, type ArticleVersion } from './contract.ts';
import type { Editing } from './editing.ts';
import { type ArticleTextDoc, type ArticleVersionDoc, ArticleVersionModel } from './model.ts';
import { countText, removeTexts, sizeOf } from './storage.ts';
import { authorView } from './view.ts';

/** The changes of one person within this time are one version. */
const SITTING_MS = 10 * MINUTE_MS;

/**
 * Keeps what is written as a version, before it is changed: where another person continues, where it was published, and every
 * ten minutes.
 */
export async function keepVersion(text: ArticleTextDoc, { caller, now }: Editing): Promise<void> {
  const last = await newestVersion(text);
  if (last?.rev === text.rev) return;
  const since = last?.at ?? text._id.getTimestamp();
  const isOver = now - since.getTime() >= SITTING_MS || !text.updatedBy.equals(caller.user._id);
  if (isOver || isPublished(text)) await insert(text, last);
}

/** Keeps what is published as a version. Repeated, it keeps it once. */
export async function keepPublished(text: ArticleTextDoc): Promise<void> {
  const { article, lang, rev } = text;
  const { matchedCount } = await ArticleVersionModel.updateOne({ article, lang, rev }, { $set: { published: true } });
  if (matchedCount === 0) await insert(text, await newestVersion(text));
}

/** Keeps what is written now, so that what replaces it can be undone. */
export async function keepNow(text: ArticleTextDoc): Promise<void> {
  const last = await newestVersion(text);
  if (last?.rev !== text.rev) await insert(text, last);
}

const isPublished = ({ published, rev }: ArticleTextDoc) => published?.rev === rev;

type OfText = Pick<ArticleTextDoc, 'article' | 'lang'>;

function newestVersion({ article, lang }: OfText): Promise<ArticleVersionDoc | null> {
  return ArticleVersionModel.findOne({ article, lang }).sort({ rev: -1 }).lean<ArticleVersionDoc>().exec();
}

/** Idempotent: a state is kept once. Beyond the limit, the oldest versions are deleted. */
async function insert(text: ArticleTextDoc, before: ArticleVersionDoc | null): Promise<void> {
  const { site, article, lang, rev, title, description, alsoAsked, updatedAt: at, updatedBy: by } = text;
  const about = { site, article, lang, rev, title, text: text.text, description, alsoAsked, at, by };
  const version = { ...about, published: isPublished(text), ...difference(before?.text ?? '', text.text) };
  const bytes = sizeOf(version);
  try {
    await ArticleVersionModel.create({ ...version, bytes });
    await countText(site, bytes);
  } catch (error) {
    if (!isDuplicate(error, 'rev')) throw error;
  }
  const [oldest] = await ArticleVersionModel.find({ article, lang }, { rev: 1 })
    .sort({ rev: -1 })
    .skip(ARTICLE_VERSIONS_MAX)
    .limit(1)
    .lean<ArticleVersionDoc[]>();
  if (oldest) await removeTexts(ArticleVersionModel, { article, lang, rev: { $lte: oldest.rev } });
}

/** About how many characters were added and removed: all between the common beginning and the common end. Linear time. */
function difference(before: string, after: string): { added: number; removed: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { added: after.length - start - end, removed: before.length - start - end };
}

/** The versions of a text, the newest first. */
export async function versionsOf(article: Types.ObjectId, lang: ArticleLanguage): Promise<ArticleVersion[]> {
  const versions = await ArticleVersionModel.find({ article, lang }, { text: 0, alsoAsked: 0, description: 0 })
    .sort({ rev: -1 })
    .lean<ArticleVersionDoc[]>();
  return versionViews(versions);
}

/** @throws AppError 404 when the article has no such version */
export async function versionOf(article: Types.ObjectId, id: string): Promise<ArticleVersionDoc> {
  const version = await ArticleVersionModel.findById(id).lean<ArticleVersionDoc>();
  if (!version?.article.equals(article)) throw notFound('version');
  return version;
}

/** Versions as the team sees them. */
export async function versionViews(versions: ArticleVersionDoc[]): Promise<ArticleVersion[]> {
  const people = await peopleById(versions.map(({ by }) => by));
  return versions.map(({ _id, lang, at, by, title, published, added, removed }) => ({
    _id: _id.toHexString(),
    lang,
    at: at.toISOString(),
    by: authorView(people, by),
    title,
    published,
    added,
    removed,
  }));
}
