import { expect, test } from 'vitest';
import { isHtml, textOfHtml, textOfMailHtml } from './markup.ts';

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

test.each([
  {
    program: 'Gmail',
    html: '<div>yes</div><br><div class="gmail_quote"><div class="gmail_attr">Bo wrote:<br></div><blockquote><p>Hello <a href="https://example.com">there</a></p><p>Bo</p></blockquote><div>in between</div></div>',
    text: 'yes\n\n> Bo wrote:\n\n> Hello there\n>\n> Bo\n\nin between',
  },
  {
    program: 'Outlook',
    html: '<p>yes</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Bo</div><div>Hello</div>',
    text: 'yes\n\n> From: Bo\n> Hello',
  },
  {
    program: 'Thunderbird',
    html: '<div class="moz-cite-prefix">Bo wrote:<br></div><blockquote type="cite">Hello</blockquote><p>yes <img src="https://example.com/pixel"><a href="mailto:a@b.c">mail</a></p>',
    text: '> Bo wrote:\n\n> Hello\n\nyes mail',
  },
])('in a mail of $program, quotes begin with >', ({ html, text }) => {
  expect(textOfMailHtml(html, 1_000)).toBe(text);
});
