import { expect, test } from 'vitest';
import { mailName, render } from './template.ts';

const links = [
  'go to https://evil.example/login NOW',
  'evil.example',
  'EVIL.Example/login?a=b',
  'www.evil.example',
  'evil．example',
  'evil。example',
  'evil｡example',
  'evil․example',
  'evilꓸexample',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'еvil.рф',
  'evil.\u200bexample',
  'evil.xn--p1ai',
  'http://3232235777',
  '10.0.0.1/x',
  'mailto:a@evil.example',
  'a@evil.example',
  '//evil.example',
  'Shop\r\nhttps://evil.example',
  'evil..example',
];

/** What a mail program makes a link: a scheme, or a dot between a label and a label of two letters or a digit. */
const LINK = /:\S|\/\/|\S[.\u3002\uff0e\uff61\u2024\ua4f8](?:\p{N}|\p{L}{2})/u;

test.each(links)('mail programs find no link in the name %j', (name) => {
  const said = mailName(name, 'Somebody');
  expect(said).not.toMatch(LINK);
  expect(said).not.toMatch(/[\r\n\u200b]/);
});

test('a name without a link stays unchanged', () => {
  const names = [
    'Ana Ruiz',
    'J.R.R. Roe',
    'St. John & Sons',
    'AC/DC',
    'محمد',
    "O'Neill",
    'Café 24/7',
    '株式会社さくら',
  ];
  expect(names.map((name) => mailName(name, '?'))).toEqual(names);
});

test('a name has at most forty characters, with a default for an empty one', () => {
  const long = mailName(`URGENT: your account is locked ${'x'.repeat(100)}`, '?');
  expect([...long]).toHaveLength(40);
  expect(long).toMatch(/…$/);
  expect([...mailName('🥞'.repeat(60), '?')]).toHaveLength(40);
  expect(mailName('\u202e\n', 'A visitor')).toBe('A visitor');
  expect(mailName(null, 'A visitor')).toBe('A visitor');
  expect([...mailName('\ufdfa'.repeat(5_000), '?')].length).toBeLessThanOrEqual(40);
});

test('the formatting of a quoted message is HTML in one part and plain text in the other, and nothing else of it is', () => {
  const text = '**Hi** <b>\n- see [our guide](https://a.example/?a=1&b)\n\n1. `x`\n```\n<i>\n```';
  const mail = (formatted: boolean) =>
    render(
      { kind: 'answer', to: 'v@a.example', subject: 'S', footer: 'F', text: [{ by: 'Ana', text, formatted }] },
      'https://parley.example',
    );
  const { html, text: plain } = mail(true);
  expect(plain).toContain('> Hi <b>\n> \n> • see our guide (https://a.example/?a=1&b)\n> \n> 1. x\n> \n> <i>\n');
  const quoted = (html.split('<blockquote')[1] ?? '').replaceAll(/ (dir|style|rel)="[^"]*"/g, '');
  expect(quoted).toContain(
    '<p><strong>Hi</strong> &lt;b&gt;</p><ul><li>see <a href="https://a.example/?a=1&amp;b">our guide</a></li></ul>' +
      '<ol><li value="1"><code>x</code></li></ol><pre><code>&lt;i&gt;</code></pre></blockquote>',
  );
  expect(mail(false).html).toContain('**Hi** &lt;b&gt;\n- see [our guide]');
});
