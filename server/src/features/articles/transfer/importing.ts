import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SiteDoc } from '#features/sites';
import { attachmentView, type ReceivedFile } from '#platform/files';
import { FILE_MAX_BYTES } from '#platform/files/contract';
import { sentence, type TranslatableText } from '#platform/http';
import { normalized, storable } from '#platform/text';
import {
  ARTICLE_ALSO_ASKED_MAX,
  ARTICLE_ALSO_ASKED_MAX_LENGTH,
  ARTICLE_CATEGORIES_MAX,
  ARTICLE_CATEGORY_MAX_LENGTH,
  ARTICLE_LANGUAGES,
  ARTICLES_MAX,
  slugOf,
} from '../contract.ts';
import type { Editing } from '../editing.ts';
import { helpOf, saveCategories } from '../helpCenter.ts';
import type { ArticleDoc } from '../model.ts';
import { addPicture, type PictureDeps } from '../pictures.ts';
import { mustFit } from '../storage.ts';
import { createMatcher, type Draft, problemOf, storeDraft, type Tally } from './drafts.ts';
import { type FrontMatter, readFrontMatter } from './frontMatter.ts';
import { entriesOf } from './unzip.ts';

const TEXT_FILE_MAX_BYTES = 512 * 1024;
const DRAFTS_MAX = ARTICLES_MAX * ARTICLE_LANGUAGES.length;
const PICTURES_MAX = 2_000;
/** A picture beside the texts, as a text refers to it. */
const REFERENCE = /\]\((?:\.{1,2}\/){0,3}(pictures\/[\w.%-]{1,150})/g;
const NO_WAY = { added: 0, changed: 0, unchanged: 0 };

interface ImportDeps extends PictureDeps {
  editing: Editing;
  dryRun: boolean;
}

/**
 * Imports a zip of Markdown files as drafts, or says what that would do. Paths in the file are used as names only: nothing is
 * written to the disk.
 */
export async function importArticles(site: SiteDoc, received: ReceivedFile, deps: ImportDeps): Promise<Tally> {
  const tally: Tally = { ...NO_WAY, leftOut: [] };
  const leaveOut = (source: string, reason: TranslatableText) => void tally.leftOut.push({ source, reason });
  const drafts: (Draft & { order: number })[] = [];
  for await (const { name, bytes } of entriesOf(received, (each) => (isText(each) ? TEXT_FILE_MAX_BYTES : null))) {
    const draft = bytes && draftOf(name, bytes.toString());
    if (!bytes) leaveOut(name, sentence('It is damaged or too large.'));
    else if (!draft) leaveOut(name, sentence('Its folder is not the code of a language, such as en.'));
    else if (drafts.length >= DRAFTS_MAX) leaveOut(name, sentence('There are too many files.'));
    else drafts.push(draft);
  }
  const good = drafts.filter((draft) => {
    const problem = problemOf(draft);
    if (problem) leaveOut(draft.source, problem);
    return !problem;
  });
  const { site: current, idOf } = await withCategories(site, good, deps);
  const pictures = await picturesIn(received, good, leaveOut);
  const matcher = await createMatcher(current);
  for (const draft of good.toSorted((a, b) => a.order - b.order)) {
    const finish = (article: ArticleDoc | null, text: string) => {
      mustFit(deps.usage, site._id, { text });
      return withPictures(article, text, pictures, deps);
    };
    await storeDraft(current, { ...draft, category: idOf(draft.category) }, { matcher, ...deps, tally, finish });
  }
  return tally;
}

const isText = (name: string) => /\.(md|markdown)$/i.test(name) && !/(^|\/)(__MACOSX\/|\.[^/]*$)/.test(name);

/** Reads language and slug from the last two parts of a path. */
function draftOf(name: string, file: string): (Draft & { order: number }) | null {
  const [folder = '', base = ''] = storable(name).split(/[/\\]/).slice(-2);
  const lang = ARTICLE_LANGUAGES.find((each) => each === folder.toLowerCase());
  if (!lang) return null;
  const { about, text } = readFrontMatter(storable(file));
  const plain = (value: FrontMatter[string] | undefined) => (typeof value === 'string' ? value.trim() : '');
  const heading =
    text
      .split('\n')
      .find((line) => line.startsWith('# '))
      ?.slice(2)
      .trim() ?? '';
  const stem = base.replace(/\.\w+$/, '');
  const asked = Array.isArray(about.alsoAsked) ? about.alsoAsked.map((each) => each.trim()) : [];
  return {
    source: name.slice(-200),
    lang,
    group: plain(about.id) || stem,
    category: plain(about.category).slice(0, ARTICLE_CATEGORY_MAX_LENGTH) || null,
    title: plain(about.title) || heading || stem,
    text,
    description: plain(about.description),
    alsoAsked: [...new Set(asked.filter((each) => each !== '' && each.length <= ARTICLE_ALSO_ASKED_MAX_LENGTH))].slice(
      0,
      ARTICLE_ALSO_ASKED_MAX,
    ),
    slug: slugOf(normalized(plain(about.slug) || stem, 'NFC')),
    order: Number(plain(about.order)) || Number.MAX_SAFE_INTEGER,
  };
}

/** Adds the missing categories that the files name, up to the limit. @returns the site with them */
async function withCategories(site: SiteDoc, drafts: Draft[], { editing, dryRun }: ImportDeps) {
  const { categories, language, rev } = helpOf(site);
  const ids = new Map(categories.flatMap(({ id, name }) => Object.values(name).map((each) => [each, id] as const)));
  const missing = [...new Set(drafts.flatMap(({ category }) => (category && !ids.has(category) ? [category] : [])))];
  const added = missing
    .slice(0, ARTICLE_CATEGORIES_MAX - categories.length)
    .map((name) => ({ id: randomUUID(), name: { [language]: name } }));
  const idOf = (name: string | null) => (name === null ? null : (ids.get(name) ?? null));
  if (dryRun || added.length === 0) return { site, idOf };
  const changed = await saveCategories(site, { categories: [...categories, ...added], rev }, editing.caller);
  for (const { id, name } of added) ids.set(name[language] ?? '', id);
  return { site: changed, idOf };
}

const referencesIn = (text: string) => [...text.matchAll(REFERENCE)].map(([, name = '']) => decoded(name));

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The pictures that texts refer to, packed in memory only as long as they are few. By their names. */
async function picturesIn(
  received: ReceivedFile,
  drafts: Draft[],
  leaveOut: (source: string, reason: TranslatableText) => void,
): Promise<Map<string, Buffer>> {
  const named = new Set(drafts.flatMap(({ text }) => referencesIn(text)).slice(0, PICTURES_MAX));
  const found = new Map<string, Buffer>();
  if (named.size === 0) return found;
  const keyOf = (name: string) => /pictures\/[^/]+$/.exec(name)?.[0] ?? '';
  for await (const { name, bytes } of entriesOf(received, (each) => (named.has(keyOf(each)) ? FILE_MAX_BYTES : null))) {
    if (bytes) found.set(keyOf(name), bytes);
    else leaveOut(name.slice(-200), sentence('It is damaged or too large.'));
  }
  for (const name of named) if (!found.has(name)) leaveOut(name, sentence('This picture is not in the file.'));
  return found;
}

/** The text with the addresses of its pictures, which are stored where the article has none of the same bytes or name. */
async function withPictures(
  article: ArticleDoc | null,
  text: string,
  pictures: ReadonlyMap<string, Buffer>,
  { editing, dryRun, ...deps }: ImportDeps,
): Promise<string> {
  const urls = new Map<string, string>();
  for (const name of new Set(referencesIn(text))) {
    const bytes = pictures.get(name);
    const digest = bytes && createHash('sha256').update(bytes).digest('hex');
    const kept = article?.pictures?.find((each) => each.digest === digest || name.startsWith(`pictures/${each.key}.`));
    if (kept) urls.set(name, attachmentView(kept).url);
    else if (bytes && digest && article && !dryRun) {
      const file = { size: bytes.length, digest, pieces: () => piecesOf(bytes), refuseCutOff() {} };
      const about = { received: file, name: name.slice('pictures/'.length), now: editing.now };
      urls.set(name, await addPicture(article, editing.caller, about, deps));
    }
  }
  return text.replace(REFERENCE, (whole, name: string) => {
    const url = urls.get(decoded(name));
    return url === undefined ? whole : `](${url}`;
  });
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield* Readable.from([bytes]);
}
