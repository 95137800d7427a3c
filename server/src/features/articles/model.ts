import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { type ListedFile, listedFiles } from '#platform/files';
import {
  ARTICLE_LANGUAGES,
  ARTICLE_STATUSES,
  type ArticleFigures,
  type ArticleLanguage,
  type ArticleStatus,
} from './contract.ts';

declare module '#platform/events' {
  interface Events {
    /**
     * What readers or the team see of a site's articles may have changed; caches of it are dropped. `articleId` null: several
     * articles, or the settings of the help centre.
     */
    articlesChanged: { siteId: string; articleId: string | null };
  }
}
events.crossesNodes('articlesChanged');

/** An article as stored; what is written is in its texts. */
export interface ArticleDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** The id of one in `site.help.categories`; a removed one counts as none (see `categoryOf`). */
  category: string | null;
  /** Its place within the category. */
  position: number;
  status: ArticleStatus;
  pictures?: ListedFile[];
  /** Since when some pictures may be unused, so that a job looks for them; absent: it has looked. */
  unswept?: Date;
  figures?: Partial<ArticleFigures>;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: Types.ObjectId;
}

/** What a person writes of an article in one language. */
export interface Written {
  title: string;
  /** Markdown */
  text: string;
  description: string;
  alsoAsked: string[];
  slug: string;
}

/** What readers see, unless the article is withdrawn. */
export interface PublishedText extends Written {
  /** The `rev` of the text that was published. */
  rev: number;
  at: Date;
  by: Types.ObjectId;
  /** As `sourceAt` of the text. */
  sourceAt?: Date;
}

/** What is written in one language of an article. */
export interface ArticleTextDoc extends Written {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  article: Types.ObjectId;
  lang: ArticleLanguage;
  /** Grows with each change of what is written. */
  rev: number;
  /** When title or text were last changed. */
  textAt: Date;
  /** Of a translation: the `textAt` of the main language's text when it was last written. */
  sourceAt?: Date;
  updatedAt: Date;
  updatedBy: Types.ObjectId;
  published?: PublishedText;
  /** Earlier slugs, the latest first; they still lead to the article. */
  formerSlugs: string[];
  /** Set when it is published, until the outbox of webhooks has it. */
  untold?: Types.ObjectId;
  /** Its size as storage of the site, in bytes, with what is published. */
  bytes: number;
}

/** A former state of a text. */
export interface ArticleVersionDoc extends Omit<Written, 'slug'> {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  article: Types.ObjectId;
  lang: ArticleLanguage;
  /** The `rev` of the text, so that no state is kept twice. */
  rev: number;
  at: Date;
  by: Types.ObjectId;
  published: boolean;
  added: number;
  removed: number;
  /** Its size as storage of the site, in bytes. */
  bytes: number;
}

const id = { type: Schema.Types.ObjectId, required: true };
const day = { type: Date, required: true };
const lang = { type: String, enum: ARTICLE_LANGUAGES, required: true };
const text = { type: String, default: '' };
const texts = { type: [String], default: [] };
const written = { title: text, text, description: text, alsoAsked: texts };

const articleSchema = new Schema<ArticleDoc>(
  {
    site: id,
    category: { type: String, default: null },
    position: { type: Number, required: true },
    status: { type: String, enum: ARTICLE_STATUSES, required: true },
    pictures: listedFiles,
    unswept: { type: Date },
    figures: { read: Number, helped: Number, notHelped: Number, chats: Number },
    createdAt: day,
    updatedAt: day,
    updatedBy: id,
  },
  { versionKey: false },
);
articleSchema.index({ site: 1, position: 1 });
articleSchema.index({ 'pictures._id': 1 }, { partialFilterExpression: { pictures: { $exists: true } } });
articleSchema.index({ unswept: 1 }, { partialFilterExpression: { unswept: { $exists: true } } });

const published = {
  ...written,
  slug: { type: String, required: true },
  rev: Number,
  at: Date,
  by: Schema.Types.ObjectId,
  sourceAt: Date,
};
const textSchema = new Schema<ArticleTextDoc>(
  {
    site: id,
    article: id,
    lang,
    ...written,
    slug: text,
    rev: { type: Number, required: true },
    textAt: day,
    sourceAt: { type: Date },
    updatedAt: day,
    updatedBy: id,
    published: { type: new Schema(published, { _id: false }) },
    formerSlugs: texts,
    untold: { type: Schema.Types.ObjectId },
    bytes: { type: Number, required: true },
  },
  { versionKey: false },
);
textSchema.index({ site: 1 });
textSchema.index({ untold: 1 }, { partialFilterExpression: { untold: { $exists: true } } });
textSchema.index({ article: 1, lang: 1 }, { unique: true });
textSchema.index(
  { site: 1, lang: 1, 'published.slug': 1 },
  { unique: true, partialFilterExpression: { 'published.slug': { $exists: true } } },
);

const versionSchema = new Schema<ArticleVersionDoc>(
  {
    site: id,
    article: id,
    lang,
    ...written,
    rev: { type: Number, required: true },
    at: day,
    by: id,
    published: { type: Boolean, required: true },
    added: { type: Number, required: true },
    removed: { type: Number, required: true },
    bytes: { type: Number, required: true },
  },
  { versionKey: false },
);
versionSchema.index({ site: 1 });
versionSchema.index({ article: 1, lang: 1, rev: 1 }, { unique: true });

export const ArticleModel = defineModel<ArticleDoc>('Article', articleSchema, 'articles');
export const ArticleTextModel = defineModel<ArticleTextDoc>('ArticleText', textSchema, 'articleTexts');
export const ArticleVersionModel = defineModel<ArticleVersionDoc>('ArticleVersion', versionSchema, 'articleVersions');
