import { Schema, type Types } from 'mongoose';
import type { ArticleLanguage } from '#features/articles/contract';
import { defineModel } from '#platform/database';
import { type WorkDoc, workFields } from '#platform/work';

/** What came of a test question. */
export interface TestResultDoc {
  passed: boolean;
  /** The article that was found; null: a person is to answer. */
  got: string | null;
  /** Its title at that time. */
  title: string | null;
  at: Date;
}

/** A test question as stored, with its last result. */
export interface TestDoc {
  _id: string;
  question: string;
  lang: ArticleLanguage;
  article: string | null;
  result?: TestResultDoc;
}

/** The test questions of one site. It is work of a queue while they are to run: at `dueAt`. */
export interface TestsDoc extends WorkDoc {
  /** That of the site. */
  _id: Types.ObjectId;
  site: Types.ObjectId;
  tests: TestDoc[];
  rev: number;
  /** When they ran last; articles that were changed later are not tested yet. */
  ranAt?: Date;
}

const resultSchema = new Schema<TestResultDoc>(
  {
    passed: { type: Boolean, required: true },
    got: { type: String, default: null },
    title: { type: String, default: null },
    at: { type: Date, required: true },
  },
  { _id: false },
);

const testSchema = new Schema<TestDoc>(
  {
    _id: { type: String, required: true },
    question: { type: String, required: true },
    lang: { type: String, required: true },
    article: { type: String, default: null },
    result: { type: resultSchema },
  },
  { id: false },
);

const testsSchema = new Schema<TestsDoc>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    tests: { type: [testSchema], default: [] },
    rev: { type: Number, required: true },
    ranAt: { type: Date },
    ...workFields,
  },
  { versionKey: false },
);
// The queue looks for what is due by site.
testsSchema.index({ site: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
/** One document for each site with test questions. */
export const TestsModel = defineModel<TestsDoc>('AssistantTests', testsSchema, 'assistantTests');

/** Removes the test questions of a deleted site. */
export async function purgeTests(site: Types.ObjectId): Promise<void> {
  await TestsModel.deleteMany({ _id: site });
}
