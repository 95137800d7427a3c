import { Schema } from 'mongoose';
import { ARTICLE_LANGUAGES, type HelpCenter, WIDGET_ARTICLES } from '#features/articles/contract';

/** The help centre of a site as stored. It is part of the site, so that asking whether a site has one costs no query. */
export interface HelpDoc
  extends Pick<HelpCenter, 'enabled' | 'language' | 'languages' | 'links' | 'agentsEdit' | 'widget' | 'rev'> {
  /** Absent: none was chosen yet. */
  handle?: string;
  /** Absent: none. */
  host?: string;
  categories: HelpCenter['categories'];
}

const language = { type: String, enum: ARTICLE_LANGUAGES };

/** The schema of a site's help centre. */
export const helpSchema = new Schema<HelpDoc>(
  {
    enabled: { type: Boolean, required: true },
    handle: { type: String },
    host: { type: String },
    language: { ...language, required: true },
    languages: { type: [language], default: [] },
    links: { type: [{ _id: false, label: String, url: String }], default: [] },
    agentsEdit: { type: Boolean, required: true },
    widget: { type: String, enum: WIDGET_ARTICLES, required: true },
    categories: { type: [{ _id: false, id: String, name: Schema.Types.Mixed }], default: [] },
    rev: { type: Number, required: true },
  },
  { _id: false, id: false },
);
