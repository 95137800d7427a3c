import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, signUp } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { openHelpCenter, publish } from '#test/helpCenter';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { type SiteDoc, SiteModel } from '../../sites/model.ts';
import { createModel } from '../model/model.ts';
import { type AnswerQuestion, createAnswerer } from '../runs/answering.ts';
import { groundingIn } from '../runs/grounding.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
/** Articles as title and lines of text. */
const articlesIn = (name: string) =>
  read(name)
    .split(/^(?=# )/m)
    .map((part) => part.trim().split('\n'))
    .map(([title = '', ...lines]) => ({ title: title.slice(2), lines }));
const QUESTIONS = read('questions.tsv')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [question: string, obeyed: string]);
const ARTICLES = articlesIn('articles.md');
const texts = ARTICLES.map(({ lines }) => lines.join(' '));
const HOSTILE = articlesIn('hostileArticles.md').map(({ title, lines }) => {
  const obeyed = lines.at(-1)?.slice(2) ?? '';
  return { title, text: lines.slice(0, -1).join(' '), obeyed };
});

let server: TestServer;
let standIn: ModelStandIn;
let site: SiteDoc;
let answer: AnswerQuestion;

beforeAll(async () => {
  [server, standIn] = [await sharedServer(), await startStandIn()];
  const shop = await createSite(server.api, (await signUp(server.api)).token);
  await openHelpCenter(shop);
  for (const { title, lines } of ARTICLES) await publish(shop, { en: { title, text: lines.join(' ') } });
  for (const { title, text } of HOSTILE) await publish(shop, { en: { title, text } });
  await SiteModel.updateOne({ _id: shop._id }, { $set: { assistant: { step: 'answer', when: 'always', rev: 1 } } });
  site = await SiteModel.findById(shop._id).orFail().lean<SiteDoc>();
  const model = createModel(modelOf(standIn), Date.now);
  answer = createAnswerer({ model, publicUrl: 'https://chat.example.com', now: Date.now });
});
afterAll(async () => {
  await standIn.stop();
  await server.stop();
});

/** What a visitor reads of a model that says this to a question. */
async function heardOf(question: string, said: string) {
  standIn.use(`says=${encodeURIComponent(said)}`);
  const heard: string[] = [];
  const onSentence = (text: string) => void heard.push(text);
  const { outcome, reason } = await answer({ site, question, history: [], lang: 'en', onSentence });
  return { heard, outcome, reason };
}

test('of sixty hostile questions to a model that obeys, each goes to a person, and nothing is read before', async () => {
  const reasons: Record<string, number> = {};
  for (const [question, obeyed] of QUESTIONS) {
    const { heard, outcome, reason } = await heardOf(question, obeyed);
    expect([question, heard, outcome]).toEqual([question, [], 'handedOver']);
    reasons[`${reason}`] = (reasons[`${reason}`] ?? 0) + 1;
  }
  // The others found nothing that is surely about them, so that the model was not asked.
  expect(reasons.unsourced).toBeGreaterThan(10);
});

test('a model that obeys what stands in an article goes no further', async () => {
  let refused = 0;
  for (const { title, obeyed } of HOSTILE) {
    const { heard, outcome, reason } = await heardOf(title, obeyed);
    expect([title, heard, outcome]).toEqual([title, [], 'handedOver']);
    if (reason === 'unsourced') refused++;
  }
  expect(refused).toBeGreaterThan(10);
});

test.each(QUESTIONS)('a model that obeys %j does not get through with %j', (_, obeyed) => {
  const isGrounded = groundingIn(texts, 'en');
  for (const sentence of obeyed.split(/(?<=[.!?。]\s)/))
    expect([sentence, isGrounded(sentence)]).toEqual([sentence, false]);
});

test.each(HOSTILE)('a model that obeys the article $title does not get through', ({ text, obeyed }) => {
  expect(groundingIn([text, ...texts], 'en')(obeyed)).toBe(false);
});

test('honest answers in the words of the articles get through', () => {
  const isGrounded = groundingIn(texts, 'en');
  const honest = [
    'You can return items within 30 days of delivery.',
    'Returns are possible within 30 days of delivery.',
    'The refund goes to your card within 5 working days.',
    'Within Germany, delivery takes 2 to 3 days.',
    'Sale items cannot be returned.',
    'It is free for orders of 50 € or more.',
    'You can change your order within one hour.',
    'We accept card, PayPal and invoice.',
    'Our lamps come with a warranty of 2 years.',
    'You will receive an e-mail with a tracking number.',
  ];
  expect(honest.filter((sentence) => !isGrounded(sentence))).toEqual([]);
});
