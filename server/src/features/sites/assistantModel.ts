import { Schema } from 'mongoose';
import { ARTICLE_LANGUAGES } from '#features/articles/contract';
import { ASSISTANT_STEPS, ASSISTANT_TIMES, type AssistantSettings } from '#features/assistant/contract';

/** The assistant's settings as stored. They are part of the site, so that asking for them with each message costs no query. */
export type AssistantDoc = AssistantSettings;

/** The settings of a site on which nobody has changed them. */
export const ASSISTANT_DEFAULTS: AssistantDoc = {
  step: 'links',
  when: 'always',
  name: '',
  categories: [],
  languages: [],
  tokensPerDay: 0,
  rev: 0,
};

/** The schema of the assistant's settings. */
export const assistantSchema = new Schema<AssistantDoc>(
  {
    step: { type: String, enum: ASSISTANT_STEPS, required: true },
    when: { type: String, enum: ASSISTANT_TIMES, required: true },
    name: { type: String, default: '' },
    categories: { type: [String], default: [] },
    languages: { type: [{ type: String, enum: ARTICLE_LANGUAGES }], default: [] },
    tokensPerDay: { type: Number, required: true },
    rev: { type: Number, required: true },
  },
  { _id: false, id: false },
);
