import type { Types } from 'mongoose';
import type { SiteDoc } from '#features/sites';
import { conflict, duplicateKey, sentence } from '#platform/http';
import type { AssistantTest, AssistantTestBody, AssistantTests } from '../contract.ts';
import { type TestDoc, type TestsDoc, TestsModel } from './testsModel.ts';

/** The test questions of a site, with their last results. */
export async function testsOf(site: Pick<SiteDoc, '_id'>): Promise<AssistantTests> {
  return testsView(await TestsModel.findById(site._id).lean<TestsDoc>());
}

/**
 * Replaces the questions, and has all of them run. A question that is asked as before keeps its result until then.
 * @throws AppError 409 `SETTINGS_CHANGED`
 */
export async function saveTests(
  { _id }: Pick<SiteDoc, '_id'>,
  tests: AssistantTestBody[],
  rev: number,
  now: number,
): Promise<AssistantTests> {
  const before = await TestsModel.findById(_id).lean<TestsDoc>();
  const known = new Map(before?.tests.map((test) => [test._id, test]));
  const kept = (test: AssistantTestBody): TestDoc => {
    const { result, ...asked } = known.get(test._id) ?? {};
    return result && isSame(asked, test) ? { ...test, result } : test;
  };
  const changed = (before?.rev ?? 0) !== rev ? null : await write(_id, tests.map(kept), { before, rev, now });
  if (!changed) throw conflict('SETTINGS_CHANGED', sentence('Somebody else has changed this meanwhile.'));
  return testsView(changed);
}

const isSame = (asked: Partial<TestDoc>, { question, lang, article }: AssistantTestBody) =>
  asked.question === question && asked.lang === lang && asked.article === article;

interface Change {
  before: TestsDoc | null;
  rev: number;
  now: number;
}

/** One guarded write; null: somebody else was faster. */
async function write(_id: Types.ObjectId, tests: TestDoc[], { before, rev, now }: Change): Promise<TestsDoc | null> {
  const due = tests.length > 0 && { dueAt: new Date(now) };
  const fields = { tests, rev: rev + 1, ...due };
  try {
    if (!before) return (await TestsModel.create({ _id, site: _id, ...fields })).toObject<TestsDoc>();
    const update = { $set: fields, ...(!due && { $unset: { dueAt: true } }) };
    return await TestsModel.findOneAndUpdate({ _id, rev }, update, { returnDocument: 'after' }).lean<TestsDoc>();
  } catch (error) {
    if (duplicateKey(error) === null) throw error;
    return null;
  }
}

/** Has the questions of a site run at a time; those that run at the moment begin again. */
export async function runTestsAt(site: Types.ObjectId, at: Date): Promise<boolean> {
  const { matchedCount } = await TestsModel.updateOne(
    { _id: site, 'tests.0': { $exists: true } },
    { $set: { dueAt: at } },
  );
  return matchedCount > 0;
}

/** What the team sees of the questions; null: there are none. */
function testsView(doc: TestsDoc | null): AssistantTests {
  return {
    tests: doc?.tests.map(testView) ?? [],
    running: doc?.dueAt !== undefined,
    rev: doc?.rev ?? 0,
  };
}

function testView({ _id, question, lang, article, result }: TestDoc): AssistantTest {
  const test = { _id, question, lang, article };
  if (!result) return test;
  const { passed, got, title, at } = result;
  return { ...test, result: { passed, got, title, at: at.toISOString() } };
}
