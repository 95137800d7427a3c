import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answeredMail } from '../../../../test/answeredMail.ts';
import { ANSWER_STYLES, answerBy, CLIENT_LANGUAGES, MAIL_CLIENTS } from '../../../../test/mailClients.ts';
import { cutQuotes } from './cutQuotes.ts';

const FROM = { name: 'Corner Shop', address: 'chat+abcdefghijklmnop234567qrst@chat.example.com' };
const SENT = 'Which colour would you like? We have the lamp in blue and in red, and can send it on Monday.';
const LINK = 'https://chat.example.com/c/';
const ADDRESSES = ['chat@chat.example.com', 'Parley <noreply@example.com>', FROM.name];
const KNOWN = { sent: [SENT, 'yes'], addresses: ADDRESSES, links: [LINK] };
const ATTRIBUTION = `On 3 May 2026 at 10:00, ${FROM.name} <${FROM.address}> wrote:`;

/** Lines that people write, of any characters, but none that could be of a mail program. */
const line = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((text) => !/[\r\n>]|^\s*--\s*$/.test(text) && !/[:：]\s*$/.test(text));
const written = fc
  .array(line, { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join('\n').trim())
  .filter((text) => text !== '');

describe('the text of an answer', () => {
  it('is kept where nothing is quoted', () => {
    fc.assert(
      fc.property(written, fc.constantFrom('\n', '\r\n'), (text, end) => {
        expect(cutQuotes(`${text.replaceAll('\n', end)} ${end}`, KNOWN)).toEqual({ text, isCut: false });
      }),
    );
  });

  it('is what remains of any quote', () => {
    const clients = fc.constantFrom(...MAIL_CLIENTS);
    const [top, ...others] = ANSWER_STYLES;
    const message = fc.array(written, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(clients, fc.constantFrom(...CLIENT_LANGUAGES), written, message, (client, language, own, answers) => {
        const { known, ...quoted } = answeredMail(language, { answers });
        const parts = { own, quoted, from: FROM, to: 'ann@example.org', at: new Date('2026-12-31T23:59:00Z') };
        const { text } = answerBy(client, language, { ...parts, style: top });
        // What we sent ourselves is never the person's.
        fc.pre(!own.split('\n').some((each) => known.sent.join('\n').includes(each.trim())));
        expect(cutQuotes(text, { ...KNOWN, ...known })).toEqual({ text: own, isCut: true });
        for (const style of others) {
          const answer = answerBy(client, language, { ...parts, style }).text;
          for (const each of own.split(/\n+/))
            expect(cutQuotes(answer, { ...KNOWN, ...known }).text).toContain(each.trim());
        }
      }),
    );
  });

  it.each([
    ['a short line that we wrote, too', 'yes'],
    ['a whole line that we wrote, and nothing else', SENT],
    ['a line that begins like one of ours', `${SENT} Blue!`],
    [
      'a list below a line with our name and a date',
      'On 3 May 2026 I bought at Corner Shop:\n\n- two lamps\n- a table',
    ],
    ['our address', 'I wrote to noreply@example.com on 3 May 2026:\n\nwhere is it?'],
    ['the data that we asked for', 'Mail: ann@example.org\nFrom: Corner Shop\nDate: 3 May 2026'],
    [
      'a mail of somebody else',
      'See this:\n\nFrom: Post <post@example.net>\nSent: 3 May 2026 10:00\nTo: ann@example.org\nSubject: Lost',
    ],
    ['a sentence about a phone', 'I do not see the picture.\nVon meinem iPhone aus geht es nicht'],
    ['a question about a phone', 'Was it\nsent from my iPhone?'],
    ['a line of dashes', 'one\n-----\ntwo'],
    ['a face', 'The lamp is broken\n>:(\nPlease help'],
    ['an arrow', '-> this one'],
    ['a link into the chat among words', `Which is it? ${LINK}1#secret or another`],
    ['quotes alone', '> yes\n> no'],
    ['nothing but a quote of ours', `${ATTRIBUTION}\n\n> ${SENT}`],
    ['nothing', ''],
  ])('has %s', (_what, text) => {
    expect(cutQuotes(text, KNOWN)).toEqual({ text, isCut: false });
  });

  it.each([
    ['lines of ours without any mark', `yes\n\n${SENT}`, 'yes'],
    ['a line of ours that was broken', `yes\n\n${SENT.slice(0, 60)}\n${SENT.slice(60)}`, 'yes'],
    ['a quoted line whose rest has no mark', `> ${SENT.slice(0, 60)}\n${SENT.slice(60)}\n\nyes`, 'yes'],
    ['an attribution without its own line', `yes\n\n${ATTRIBUTION.replace(' <', '\n<')}\n> ${SENT}`, 'yes'],
    ['an attribution of three lines', `yes\n\n${ATTRIBUTION.replace(' at', '\nat').replace(' <', '\n<')}\n> x`, 'yes'],
    ['an attribution without a quote', `yes\n\n${ATTRIBUTION}\n\nanything`, 'yes'],
    ['our name alone above our lines', `yes\n\nOn 3.5.2026 10:00 Corner Shop wrote:\n${SENT}`, 'yes'],
    [
      'an attribution in another language',
      `yes\n\n2026年5月3日(日) 10:00 Corner Shop <noreply@example.com>：\n\nx`,
      'yes',
    ],
    ['an attribution that ends with our address', `yes\n\n2026/5/3 Corner Shop <noreply@example.com>\n\n> x`, 'yes'],
    [
      'headers in another language',
      `yes\n\nLähettäjä: Corner Shop <noreply@example.com>\nLähetetty: 3. toukokuuta 2026 10:00\nVastaanottaja: Ann\nAihe: x\n\ny`,
      'yes',
    ],
    [
      'headers with stars and no address',
      'yes\n\n-----Original Message-----\n*From:* Corner Shop\n*Sent:* 3 May 2026\n*To:* Ann\n*Subject:* x\n\ny',
      'yes',
    ],
    ['the link into the chat', `yes\n\n<${LINK}1#secret>`, 'yes'],
    ['quotes of quotes', `yes\n\n${ATTRIBUTION}\n>> a\n> > b\n>c`, 'yes'],
    ['a signature', 'yes\n\n-- \nAnn\nThe Street 1', 'yes'],
    ['a signature whose space is lost', 'yes\n\n--\nAnn', 'yes'],
    [
      'answers between quotes',
      `${ATTRIBUTION}\n\n> a\n\nyes\n\n> b\nno\n> c\n\nThanks\n\n-- \nAnn`,
      'yes\n\nno\n\nThanks',
    ],
    ['what comes after very many lines', `yes\n\n${'> x\n'.repeat(5_000)}\nno`, 'yes'],
    ['Sent from my iPhone', 'yes\n\nSent from my iPhone', 'yes'],
  ])('is without %s', (_what, text, own) => {
    expect(cutQuotes(text, KNOWN)).toEqual({ text: own, isCut: true });
  });
});
