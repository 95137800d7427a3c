import { Zip, ZipDeflate, type ZipInputFile, ZipPassThrough } from 'fflate';
import type { SiteDoc } from '#features/sites';
import { attachmentView, type ListedFile, readBlob } from '#platform/files';
import { articlesOf } from '../actions.ts';
import { helpOf } from '../helpCenter.ts';
import { type ArticleDoc, type ArticleTextDoc, ArticleTextModel } from '../model.ts';
import { categoryOf } from '../urls.ts';
import { writeFrontMatter } from './frontMatter.ts';

/** All articles of a site as a zip file, one text or picture in memory at a time. What is written, not what is published. */
export async function* exportArticles(site: SiteDoc): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const add = <File extends ZipInputFile>(file: File, changed: Date): File => {
    file.mtime = changed;
    zip.add(file);
    return file;
  };
  const names = new Set<string>();
  for (const [order, article] of (await articlesOf(site._id)).entries()) {
    const texts = await ArticleTextModel.find({ article: article._id }).lean<ArticleTextDoc[]>();
    for (const text of texts) {
      const plain = `${text.lang}/${text.slug || article._id.toHexString()}`;
      const name = names.has(plain) ? `${plain}-${article._id.toHexString()}` : plain;
      names.add(name);
      add(new ZipDeflate(`${name}.md`), text.updatedAt).push(Buffer.from(fileOf(site, article, text, order + 1)), true);
      yield* pieces.splice(0);
    }
    for (const picture of article.pictures ?? []) {
      const file = add(new ZipPassThrough(nameOf(picture)), picture.at);
      for await (const piece of readBlob(picture._id, picture.size)) {
        file.push(piece);
        yield* pieces.splice(0);
      }
      file.push(new Uint8Array(0), true);
    }
  }
  zip.end();
  yield* pieces.splice(0);
}

/** Its address is in its name, so that an import finds it again. */
const nameOf = ({ key, mime }: ListedFile) => `pictures/${key}.${mime.split('/')[1]}`;

function fileOf(site: SiteDoc, article: ArticleDoc, written: ArticleTextDoc, order: number): string {
  const { title, slug, description, alsoAsked, published } = written;
  const { categories, language } = helpOf(site);
  const category = categories.find(({ id }) => id === categoryOf(article, site.help))?.name;
  const name = category && (category[language] ?? Object.values(category)[0]);
  const status = article.status === 'published' && !published ? 'draft' : article.status;
  let { text } = written;
  for (const picture of article.pictures ?? [])
    text = text.replaceAll(attachmentView(picture).url, `../${nameOf(picture)}`);
  return writeFrontMatter(
    {
      id: article._id.toHexString(),
      title,
      ...(slug && { slug }),
      ...(name && { category: name }),
      ...(description && { description }),
      ...(alsoAsked.length > 0 && { alsoAsked }),
      status,
      order,
    },
    text,
  );
}
