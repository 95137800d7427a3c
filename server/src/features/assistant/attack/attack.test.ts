import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
const texts = articlesIn('articles.md').map(({ lines }) => lines.join(' '));
const HOSTILE = articlesIn('hostileArticles.md').map(({ title, lines }) => {
  const obeyed = lines.at(-1)?.slice(2) ?? '';
  return { title, text: lines.slice(0, -1).join(' '), obeyed };
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
