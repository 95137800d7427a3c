import { expect, test } from 'vitest';
import { isHtml, textOfHtml } from './markup.ts';

test.each([
  {
    html: '<p>Dear <b>Mina</b>,<br>see <a href="https://example.com/a?b=1&amp;c=2">our\n guide</a>.</p><p>&lt;b&gt;</p>',
    text: 'Dear Mina,\nsee our guide (https://example.com/a?b=1&c=2).\n\n<b>',
  },
  { html: '<ul><li>one</li><li>two</li></ul><div>three</div>', text: '- one\n- two\n\nthree' },
  { html: '<div><img src="https://example.com/x.png"></div><script>x()</script>', text: 'https://example.com/x.png' },
  {
    html: '<p>never closed <a href="https://example.com">https://example.com</p>',
    text: 'never closed https://example.com',
  },
])('HTML becomes the text that its readers saw: $text', ({ html, text }) => {
  expect(isHtml(html)).toBe(true);
  expect(textOfHtml(html)).toBe(text);
});

test.each(['is a <b or b> c?', '<3', '<-- here', 'Hello', '< b >', ''])('“%s” is no HTML', (text) => {
  expect(isHtml(text)).toBe(false);
});
