import { describe, expect, it } from 'vitest';
import { textOfMailHtml } from '#platform/text';
import { answeredMail } from '../../../../test/answeredMail.ts';
import { ANSWER_STYLES, answerBy, CLIENT_LANGUAGES, MAIL_CLIENTS } from '../../../../test/mailClients.ts';
import { cutQuotes } from './cutQuotes.ts';

const FROM = { name: 'Corner Shop', address: 'chat+abcdefghijklmnop234567qrst@chat.example.com' };
const ADDRESSES = ['chat@chat.example.com', 'Parley <noreply@example.com>', FROM.name];
const ANSWERS = [
  'Which colour would you like?\nWe have the lamp in blue and in red, and can send it on Monday.',
  'And do you want it to be wrapped as a gift? Our wrapping paper is made of old maps.',
];
const MAX_LENGTH = 32_000;
const OWN = {
  word: 'yes',
  paragraphs:
    'The blue one, please.\nIt is for my sister.\n\nNo paper is needed: she has enough of it.\n\nThanks,\nAnn',
  link: 'This one: https://shop.example/lamps?colour=blue&size=2 – or is it sold out?',
  mark: 'I want size > 40, so 42 if that is in stock',
  emoji: '👍',
  arabic: 'نعم، أريد المصباح الأزرق من فضلك.\n\nشكراً لكم',
};

describe.each(MAIL_CLIENTS)('an answer by %s', (client) => {
  describe.each(CLIENT_LANGUAGES)('in %s', (language) => {
    it.each(ANSWER_STYLES)('is what the person wrote, at the %s', (style) => {
      // Their HTML says of all lines below the first quoted one that they are quoted.
      const isReadable = style === 'top' || !['outlookWeb', 'yahoo'].includes(client);
      for (const isMarked of [true, false]) {
        const { known, ...quoted } = answeredMail(language, { answers: ANSWERS, isMarked });
        for (const own of Object.values(OWN)) {
          const at = new Date('2026-05-03T10:00:00Z');
          const answer = answerBy(client, language, { own, quoted, from: FROM, to: 'ann@example.org', at, style });
          for (const text of [answer.text, ...(isReadable ? [textOfMailHtml(answer.html, MAX_LENGTH)] : [])]) {
            const cut = cutQuotes(text, { ...known, addresses: ADDRESSES });
            expect(cut, text).toEqual({ text: own, isCut: true });
          }
        }
      }
    });
  });
});
