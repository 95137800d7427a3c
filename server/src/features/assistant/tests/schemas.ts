import { ARTICLE_LANGUAGES } from '#features/articles/contract';
import { choice, converted, type InputSchema, InvalidValue, JSON_SCHEMA, sentence, text, whole } from '#platform/http';
import { storable } from '#platform/text';
import { ASSISTANT_QUESTION_MAX_LENGTH, ASSISTANT_TESTS_MAX, type AssistantTestBody } from '../contract.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const ARTICLE_ID = /^[\da-f]{24}$/;

function toTests(value: unknown): AssistantTestBody[] {
  if (!Array.isArray(value) || value.length > ASSISTANT_TESTS_MAX)
    throw new InvalidValue(sentence('There can be up to {max} test questions', { max: ASSISTANT_TESTS_MAX }));
  const tests = value.map(toTest);
  if (new Set(tests.map(({ _id }) => _id)).size < tests.length)
    throw new InvalidValue(sentence('Each test question must have an id of its own'));
  return tests;
}

function toTest(value: unknown): AssistantTestBody {
  const { _id, question, lang, article } = Object(value) as Record<string, unknown>;
  const words = typeof question === 'string' ? storable(question).trim() : '';
  if (words === '' || words.length > ASSISTANT_QUESTION_MAX_LENGTH)
    throw new InvalidValue(
      sentence('A test question must have 1 to {max} characters', { max: ASSISTANT_QUESTION_MAX_LENGTH }),
    );
  const known = ARTICLE_LANGUAGES.find((each) => each === lang);
  const isArticle = article === null || (typeof article === 'string' && ARTICLE_ID.test(article));
  if (typeof _id !== 'string' || !UUID.test(_id) || !known || !isArticle)
    throw new InvalidValue(sentence('A test question needs a UUID, a language, and an article or null'));
  return { _id, question: words, lang: known, article };
}

/** All test questions of a site. */
export const assistantTestsSchema: InputSchema = {
  tests: {
    [JSON_SCHEMA]: {
      type: 'array',
      maxItems: ASSISTANT_TESTS_MAX,
      items: {
        type: 'object',
        maxProperties: 4,
        properties: {
          _id: { type: 'string', format: 'uuid', maxLength: 36 },
          question: { type: 'string', maxLength: ASSISTANT_QUESTION_MAX_LENGTH },
          lang: { type: 'string', enum: ARTICLE_LANGUAGES, maxLength: 2 },
          article: { type: 'string', maxLength: 24 },
        },
      },
    },
    ...converted(toTests),
  },
  rev: whole('rev'),
};

/** A question that is tried. */
export const assistantTrySchema: InputSchema = {
  question: text({ label: 'Question', max: ASSISTANT_QUESTION_MAX_LENGTH }),
  lang: choice('lang', ARTICLE_LANGUAGES),
};
