import { render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { facts, language, listed, plural, sentences, showTexts, t } from './i18n.ts';
import { chooseLanguage, showOwnLanguage } from './languages.ts';
import { rich } from './rich.ts';

const GERMAN = {
  Close: 'Schließen',
  'Open|verb': 'Öffnen',
  'Claimed by {name}': 'Von {name} übernommen',
  '{count} chats of {name}': { one: '{count} Chat von {name}', other: '{count} Chats von {name}' },
  'Read the <a>docs of {name}</a>, {who}.': '{who}, lies <a>die Doku von {name}</a>.',
};
const ARABIC = {
  'Claimed by {name}': 'استلمها {name}',
  'Read the <a>docs of {name}</a>, {who}.': '{who}، <a>توثيق {name}</a>.',
  '{count} chats of {name}': {
    zero: 'لا محادثات',
    one: 'محادثة واحدة',
    two: 'محادثتان',
    few: '{count} محادثات',
    many: '{count} محادثة',
    other: '{count} محادثة',
  },
};

const chats = (count: number) => plural(count, '{count} chat of {name}', '{count} chats of {name}', { name: 'Ana' });
const link = () =>
  render(
    <p>
      {rich('Read the <a>docs of {name}</a>, {who}.', { a: (text) => <i>{text}</i>, name: 'Shop', who: <b>Ana</b> })}
    </p>,
  ).container.innerHTML;

afterEach(() => showTexts('en', {}));

describe('in English', () => {
  it('texts are shown as they are written, without the note that tells two of them apart', () => {
    expect(t('Close')).toBe('Close');
    expect(t('Open|verb')).toBe('Open');
    expect(t('Claimed by {name}', { name: '{who} | $&' })).toBe('Claimed by {who} | $&');
    expect(t('Use {name} as it is')).toBe('Use {name} as it is');
    expect(t('constructor')).toBe('constructor');
    expect([0, 1, 2, 1204].map(chats)).toEqual([
      '0 chats of Ana',
      '1 chat of Ana',
      '2 chats of Ana',
      '1,204 chats of Ana',
    ]);
    expect(link()).toBe('<p>Read the <i>docs of Shop</i>, <b>Ana</b>.</p>');
  });
});

describe('in another language', () => {
  beforeEach(() => showTexts('de', GERMAN));

  it('texts are translated, with their plurals and elements in the order of the language', () => {
    expect(t('Close')).toBe('Schließen');
    expect(t('Open|verb')).toBe('Öffnen');
    expect(t('Claimed by {name}', { name: 'Ana' })).toBe('Von Ana übernommen');
    expect([1, 1204].map(chats)).toEqual(['1 Chat von Ana', '1.204 Chats von Ana']);
    expect(link()).toBe('<p><b>Ana</b>, lies <i>die Doku von Shop</i>.</p>');
  });

  it('what is not translated yet is English', () => {
    expect(t('Reopen')).toBe('Reopen');
    expect(plural(1, '{count} file', '{count} files')).toBe('1 file');
  });

  it('all six plural forms of Arabic are used, and the page is mirrored', () => {
    expect(document.documentElement).toMatchObject({ lang: 'de', dir: 'ltr' });
    showTexts('ar', ARABIC);
    expect([0, 1, 2, 3, 11, 100].map(chats)).toEqual(
      Object.values(ARABIC['{count} chats of {name}']).map((text, at) =>
        text.replace('{count}', String([0, 1, 2, 3, 11, 100][at])),
      ),
    );
    expect(document.documentElement).toMatchObject({ lang: 'ar', dir: 'rtl' });
  });

  it('names and addresses among Arabic words keep their own direction, and lists have its comma', () => {
    expect(listed(['Ana', 'Ben'])).toBe('Ana, Ben');
    showTexts('ar', ARABIC);
    expect(t('Claimed by {name}', { name: 'Jo <3' })).toBe('استلمها \u2068Jo <3\u2069');
    expect(t('Claimed by {name}', { name: 42 })).toBe('استلمها 42');
    expect(link()).toBe('<p><b>Ana</b>، <i>توثيق \u2068Shop\u2069</i>.</p>');
    expect(listed(['Ana', 'Ben'])).toBe('\u2068Ana\u2069، \u2068Ben\u2069');
    expect(t('Claimed by {name}', { name: listed(['Ana', 'Ben']) })).toBe(`استلمها ${listed(['Ana', 'Ben'])}`);
  });
});

it('values of the other direction are isolated in every language, once, and no others', () => {
  const claimed = (name: string) => t('Claimed by {name}', { name });
  expect(['Ana', '(x) 3 – 5', 'René'].map(claimed)).toEqual(
    ['Ana', '(x) 3 – 5', 'René'].map((name) => `Claimed by ${name}`),
  );
  const arabic = '\u2068محمد\u2069';
  expect(claimed('محمد')).toBe(`Claimed by ${arabic}`);
  // Nor can a name turn the words after it round.
  expect(claimed('A\u202Eb')).toBe('Claimed by \u2068A\u202Eb\u2069');
  expect(claimed(listed(['محمد', 'Tom']))).toBe(`Claimed by ${arabic}, Tom`);
  expect(facts('محمد', null, 'Oak')).toBe(`${arabic} · Oak`);
  expect(plural(2, '{count} chat of {name}', '{count} chats of {name}', { name: 'דנה' })).toBe(
    '2 chats of \u2068דנה\u2069',
  );
  expect(render(rich('Read the {name}.', { name: 'محمد' })).container.textContent).toBe(`Read the ${arabic}.`);
  expect(sentences('It failed.', '', claimed('Tom'))).toBe('It failed. Claimed by Tom');
  showTexts('ar', ARABIC);
  expect(['+49 151 23', 'example.com/a', '12', '٣'].map(claimed).map((text) => /\u2068/.test(text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('is the chosen one, and the first known one of the browser until one is chosen', async () => {
  const languages = (...tags: string[]) =>
    Object.defineProperty(navigator, 'languages', { value: tags, configurable: true });
  languages('pl', 'fr-CA', 'de');
  await showOwnLanguage();
  expect(language()).toBe('fr');
  await chooseLanguage('ar');
  expect(language()).toBe('ar');
  languages('pl', 'en-US');
  await Promise.all([chooseLanguage('de'), chooseLanguage(undefined)]);
  expect(language()).toBe('en');
});
