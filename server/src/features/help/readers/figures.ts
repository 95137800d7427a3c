import { Types } from 'mongoose';
import { ArticleModel } from '#features/articles';
import type { ArticleFigures } from '#features/articles/contract';
import { events } from '#platform/events';
import { publishedArticles } from './published.ts';
import { isHelp } from './resolve.ts';

/** How long figures wait for others before they are written to the store; a crash loses at most this much. */
const WRITE_EVERY_MS = 5_000;
/** With more articles waiting, they are written at once. */
const WAITING_MAX = 2_000;

/** What was counted since the last write, by article. */
let counted = new Map<string, { siteId: string; grown: Partial<ArticleFigures> }>();
let timer: NodeJS.Timeout | undefined;

/** Counts what a reader did with an article that is published. */
export function countReading(siteId: string, articleId: string, what: keyof ArticleFigures, times = 1): void {
  const grown: Partial<ArticleFigures> = counted.get(articleId)?.grown ?? {};
  counted.set(articleId, { siteId, grown: { ...grown, [what]: (grown[what] ?? 0) + times } });
  if (counted.size > WAITING_MAX) void writeFigures();
  else timer ??= setTimeout(writeFigures, WRITE_EVERY_MS).unref();
}

/** Writes what this node has counted. Who reads the figures writes first, so that nothing of this node is missing. */
export async function writeFigures(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (counted.size === 0) return;
  const waiting = counted;
  counted = new Map();
  const writes = [...waiting].map(([articleId, { siteId, grown }]) => ({
    updateOne: {
      filter: { _id: new Types.ObjectId(articleId), site: new Types.ObjectId(siteId) },
      update: { $inc: Object.fromEntries(Object.entries(grown).map(([name, by]) => [`figures.${name}`, by])) },
    },
  }));
  await ArticleModel.bulkWrite(writes, { ordered: false }).catch((error) => events.fail(error, 'figures of articles'));
}

/** Counts chats that began from an article. @returns a disposer, which writes the figures that are not written yet */
export async function startCountingReadings(): Promise<() => Promise<void>> {
  const stopListening = events.on('chatFromArticle', async ({ chat, site, article }) => {
    if (chat.bot || !isHelp(site)) return;
    const siteId = site._id.toHexString();
    const { articles } = await publishedArticles.get(siteId);
    if (articles.has(article)) countReading(siteId, article, 'chats');
  });
  return async () => {
    stopListening();
    await writeFigures();
  };
}
