import type { Types } from 'mongoose';
import { type ArticleTextDoc, ArticleTextModel } from '#features/articles';
import type { ArticleLanguage } from '#features/articles/contract';
import { findArticles } from '#features/help';
import { createRanking, passagesOf } from '#features/knowledge';
import { type ReplyDoc, ReplyModel } from '#features/replies';
import type { SiteDoc } from '#features/sites';
import { inTurns } from '#platform/work';

const PASSAGES_MAX = 5;
const ARTICLES_MAX = 3;
/** Of a site's canned replies; further ones are not looked through. */
const REPLIES_MAX = 500;

/** A text of the team that may have an answer. */
export interface Passage {
  title: string;
  text: string;
}

/** What is asked, by whom, and in which language. */
interface Asked {
  question: string;
  lang: ArticleLanguage;
  /** The member whose own canned replies count, too. */
  user: Types.ObjectId;
}

/** The passages of published articles, and the canned replies, that are about a question: the best first. */
export async function passagesAbout(site: SiteDoc, { question, lang, user }: Asked): Promise<Passage[]> {
  const links = await findArticles(site, question, { lang, limit: ARTICLES_MAX, publicUrl: null, level: 'suggest' });
  const [texts, replies] = await Promise.all([
    ArticleTextModel.find(
      { article: { $in: links.map(({ _id }) => _id) } },
      { article: 1, lang: 1, published: 1 },
    ).lean<Pick<ArticleTextDoc, 'article' | 'lang' | 'published'>[]>(),
    ReplyModel.find({ site: site._id, $or: [{ owner: null }, { owner: user }] })
      .limit(REPLIES_MAX)
      .lean<ReplyDoc[]>(),
  ]);
  const passages: Passage[] = [];
  const ranking = createRanking(lang, { keepsTexts: false });
  const pause = inTurns();
  const add = (passage: Passage, headings = '') => {
    const id = String(passages.push(passage) - 1);
    ranking.add({ id, title: passage.title, alsoAsked: [], passages: [{ headings, text: passage.text }] });
    return pause();
  };
  for (const link of links) {
    const found = texts.find((text) => text.article.toHexString() === link._id && text.lang === link.lang);
    if (!found?.published) continue;
    const { title, text } = found.published;
    for (const passage of passagesOf(text)) await add({ title, text: passage.text }, passage.headings);
  }
  for (const { shortcut, content } of replies) await add({ title: shortcut, text: content });
  const { find } = await ranking.done(pause);
  return find(question, PASSAGES_MAX, { level: 'suggest' }).flatMap(({ id }) => passages[Number(id)] ?? []);
}
