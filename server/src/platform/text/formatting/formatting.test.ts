import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formattingOf, isFormatted, type Run, withoutFormatting } from './contract.ts';

/** The stretches of a text as HTML-like words, so that a test reads as what is shown. */
function shown(source: string): string {
  const ofRun = ({ text, strong, em, code, href }: Run) => {
    const marked = `${strong ? '<strong>' : ''}${em ? '<em>' : ''}${code ? '<code>' : ''}${text}`;
    return href ? `<a ${href}>${marked}</a>` : `${marked}${strong || em || code ? '</>' : ''}`;
  };
  return formattingOf(source)
    .map(({ tag, items }) => {
      const lines = items.map(
        ({ value, runs }) => `${value ?? ''}${tag[1] === 'l' ? '.' : ''}${runs.map(ofRun).join('')}`,
      );
      return `${tag}:${lines.join('|')}`;
    })
    .join(' ');
}

test.each([
  ['a **bold** word', 'p:a <strong>bold</> word'],
  ['*one* and _two_', 'p:<em>one</> and <em>two</>'],
  ['***both***', 'p:<strong><em>both</>'],
  ['**a *b** c*', 'p:<strong>a </><strong><em>b</><em> c</>'],
  ['これは**重要**です', 'p:これは<strong>重要</>です'],
  ['run `npm **i**` now', 'p:run <code>npm **i**</> now'],
  ['```npm i```', 'p:<code>npm i</>'],
  ['a\nb\n\nc', 'p:a\nb p:c'],
  ['Do:\n- one\n- **two**\n\nThen', 'p:Do: ul:.one|.<strong>two</> p:Then'],
  ['1. one\n2. two\n7. seven', 'ol:1.one|2.two|7.seven'],
  ['```ts\nconst a = 1;\n\n  b();\n```\nend', 'pre:<code>const a = 1;\n\n  b();</> p:end'],
  ['```\r\nx\r\n```\r\ny\r\nz', 'pre:<code>x</> p:y\nz'],
  ['```\nnever closed', 'pre:<code>never closed</>'],
  ['[our guide](https://a.example/x)!', 'p:<a https://a.example/x>our guide</a>!'],
  ['**[guide](https://a.example)**', 'p:<a https://a.example><strong>guide</a>'],
  ['[us](mailto:a@b.example)', 'p:<a mailto:a@b.example>us</a>'],
  ['(see https://a.example/_x_/y(z).)', 'p:(see <a https://a.example/_x_/y(z)>https://a.example/_x_/y(z)</a>.)'],
])('%j is shown with its formatting', (source, expected) => {
  expect(shown(source)).toBe(expected);
  expect(isFormatted(source)).toBe(!source.startsWith('a\n') && !source.startsWith('(see'));
});

test.each([
  '2*3*4 and snake_case_name and __init__.py',
  '** no ** bold, * no * italics',
  'password: ****',
  '-5 degrees, 1.5 litres, 3.',
  '# no heading',
  '<b>no HTML</b>',
  '[x](javascript:alert(1)) [y](data:text/html,z) [z](/path) [w](https://)',
  '[a](https://bad\u202e.example)x'.replace('https', 'ftp'),
  'a * b ` c _ d [e] (f)',
  '```',
  '```\n```',
])('%j is plain', (source) => {
  expect(isFormatted(source)).toBe(false);
});

test('a picture is never shown: it is a link with its name', () => {
  expect(shown('![cat](https://a.example/cat.png)')).toBe('p:!<a https://a.example/cat.png>cat</a>');
});

test.each([
  ['bank.example', 'https://bank.example', false],
  ['https://bank.example/help', 'https://bank.example/help', false],
  ['bank.example', 'https://bank.example/help', false],
  ['our bank', 'https://evil.example', false],
  ['bank.example', 'https://evil.example', true],
  ['bank.example', 'https://bank.example.evil.example', true],
  ['bank.example', 'https://bank.example@evil.example', true],
  ['bank.example', 'https://evil.example/bank.example', true],
  ['https://bank.example', 'http://evil.example', true],
  ['Visit bank.example now', 'https://evil.example', true],
  ['help@bank.example', 'mailto:me@evil.example', true],
  ['elpmaxe.knab\u202e', 'https://evil.example', true],
])('the name %j of a link to %j hides its address: %j', (name, href, hides) => {
  const [block] = formattingOf(`[${name}](${href})`);
  expect(block?.items[0]?.runs).toEqual([{ text: hides ? `${name} (${href})` : name, href }]);
});

test('without formatting, the words stay, and lists and links can be read', () => {
  const source = '**Hi** `you`:\n- one\n- [two](https://a.example/2)\n\n3. three\n```\n**x**\n```';
  expect(withoutFormatting(source)).toBe('Hi you:\n\n• one\n• two\n\n3. three\n\n**x**');
  expect(withoutFormatting(source, true)).toContain('• two (https://a.example/2)\n');
});

/** Texts of what formatting is made of, so that most of them have some. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '*',
        '**',
        '_',
        '`',
        '```',
        '\n',
        '\r\n',
        '- ',
        '1. ',
        '[',
        ']',
        '(',
        ')',
        '](https://a.b/)',
        'http://x.y/',
      ),
      fc.constantFrom(' ', 'a', 'Zürich', 'שלום', '中', '🎉', '\u202e', '\\', '<b>'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

/** What may be markup; a language after a fence, and the address behind a name, are markup as well. */
const MARKUP = /[\s*_`[\]()\-.\d]|\p{Cf}/gu;

test('every text is read, and every character that is not markup is shown in its order', () => {
  fc.assert(
    fc.property(texts, (source) => {
      const plain = withoutFormatting(source, true).replace(MARKUP, '');
      const words = source.replace(/^ *```\w*\s*$/gm, '').replace(MARKUP, '');
      const left = [...words].reverse();
      for (const character of plain) if (character === left.at(-1)) left.pop();
      expect(left).toEqual([]);
    }),
  );
});

test('an address leads nowhere but to the web or to a mailbox, and every stretch has a text', () => {
  fc.assert(
    fc.property(texts, (source) => {
      for (const { items } of formattingOf(source))
        for (const { text, href } of items.flatMap(({ runs }) => runs)) {
          if (href !== undefined) expect(href).toMatch(/^(https?:\/\/|mailto:)[^\s\\\p{Cf}]+$/iu);
          expect(typeof text).toBe('string');
        }
    }),
  );
});

test.each([
  '*',
  '_',
  '`',
  '[',
  '**a ',
  '*a_',
  '[a](',
  '[a](http://x(',
  'http://x.',
  '```\n',
  '- \n',
  '1.',
  '(*a',
  '\n',
])('a long text of %j is read in linear time: in quadratic time it would take minutes', (piece) => {
  expect(formattingOf(piece.repeat(400_000)).length).toBeGreaterThanOrEqual(0);
});
