import type { Caller } from '#features/auth';
import { addingFile, droppingFiles, type Usage } from '#features/usage';
import { attachmentView, detectType, type ListedFile, type Pictures, type ReceivedFile } from '#platform/files';
import { conflict, invalid, notFound, sentence } from '#platform/http';
import { DAY_MS } from '#platform/time';
import { ARTICLE_PICTURES_MAX } from './contract.ts';
import {
  type ArticleDoc,
  ArticleModel,
  type ArticleTextDoc,
  ArticleTextModel,
  type ArticleVersionDoc,
  ArticleVersionModel,
} from './model.ts';

const BATCH = 100;
const NAMELESS = 'picture';

export interface PictureDeps {
  pictures: Pictures;
  usage: Usage;
}

/**
 * Adds a picture to an article. It counts as storage of the site, and is gone when nothing written refers to it any more.
 * @returns what the Markdown refers to
 * @throws AppError 422 for what is no picture, 413 `SITE_FULL`, 409 `ARTICLE_PICTURES_LIMIT`, 404 when the article is gone
 */
export async function addPicture(
  { _id, site }: Pick<ArticleDoc, '_id' | 'site'>,
  { user }: Caller,
  { received, name = NAMELESS, now }: { received: ReceivedFile; name?: string | undefined; now: number },
  deps: PictureDeps,
): Promise<string> {
  if (!(await detectType(received.pieces())).isPicture)
    throw invalid([{ msg: sentence('Only pictures can be added: PNG, JPEG, WebP or GIF.'), path: 'file' }]);
  const at = new Date(now);
  const added = await addingFile({ site, by: user._id, received, name }, deps, async (stored) => {
    const picture: ListedFile = { _id: stored._id, ...stored.file, at };
    const { matchedCount } = await ArticleModel.updateOne(
      { _id, [`pictures.${ARTICLE_PICTURES_MAX - 1}`]: { $exists: false } },
      { $push: { pictures: picture }, $set: { unswept: at } },
    );
    return matchedCount === 0 ? null : picture;
  });
  if (added) return attachmentView(added).url;
  if (!(await ArticleModel.exists({ _id }))) throw notFound('article');
  throw conflict(
    'ARTICLE_PICTURES_LIMIT',
    sentence('An article can have up to {max} pictures.', { max: ARTICLE_PICTURES_MAX }),
  );
}

/** Removes pictures that nothing written has referred to for a day: neither a text, nor what is published, nor a version. */
export async function sweepPictures(now: number, signal: AbortSignal): Promise<void> {
  const before = new Date(now - DAY_MS);
  while (!signal.aborted) {
    const articles = await ArticleModel.find({ unswept: { $lt: before } })
      .limit(BATCH)
      .lean<ArticleDoc[]>();
    for (const article of articles) await sweepArticle(article, before);
    if (articles.length < BATCH) return;
  }
}

/** If the article is changed meanwhile, the sweep is repeated a day later. */
async function sweepArticle({ _id, site, pictures = [], unswept }: ArticleDoc, before: Date): Promise<void> {
  const unused = new Map(
    pictures.filter(({ at }) => at < before).map((picture) => [attachmentView(picture).url, picture]),
  );
  const forget = (text: string) => {
    for (const url of unused.keys()) if (text.includes(url)) unused.delete(url);
  };
  if (unused.size > 0) {
    const texts = ArticleTextModel.find({ article: _id }).lean<ArticleTextDoc>().cursor();
    for await (const { text, published } of texts) forget(`${text}\n${published?.text}`);
    const versions = ArticleVersionModel.find({ article: _id }, { text: 1 }).lean<ArticleVersionDoc>().cursor();
    for await (const { text } of versions) forget(text);
  }
  const files = [...unused.values()];
  const ids = files.map((file) => file._id);
  await droppingFiles(site, files, () =>
    ArticleModel.updateOne(
      { _id, unswept: unswept ?? before },
      { $pull: { pictures: { _id: { $in: ids } } }, $unset: { unswept: 1 } },
    ),
  );
}
