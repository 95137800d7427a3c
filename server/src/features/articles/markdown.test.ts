import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { ARTICLE_TAGS, plainText, renderArticle } from './markdown.ts';

const KEY = 'k'.repeat(43);

/** Everything that is in the HTML, as a browser would read it. */
function tagsIn(html: string): { name: string; attributes: Record<string, string> }[] {
  const found: ReturnType<typeof tagsIn> = [];
  const parser = new Parser({ onopentag: (name, attributes) => void found.push({ name, attributes }) });
  parser.end(html);
  return found;
}

test('an article has headings with ids, lists, tables, notes, code, links and pictures', () => {
  const html = renderArticle(
    [
      '# Returns',
      '## Returns',
      'Write **within** [14 days](https://shop.example.com/terms), see [below](#costs).',
      '> **Note:** keep the receipt.',
      '| Size | Price |\n| :-- | --: |\n| S | 4 € |',
      '```js\nlet a = 1 < 2;\n```',
      `![A parcel](/api/files/${KEY} "Yours")`,
      '3. three\n4. four',
      '### Costs',
    ].join('\n\n'),
    { origin: 'https://chat.example.com', sizes: new Map([[`/api/files/${KEY}`, { width: 20, height: 10 }]]) },
  );
  expect(html).toMatchInlineSnapshot(`
    "<h2 id="s-returns">Returns</h2>
    <h2 id="s-returns-2">Returns</h2>
    <p>Write <strong>within</strong> <a href="https://shop.example.com/terms" rel="noopener">14 days</a>, see <a href="#s-costs">below</a>.</p>
    <blockquote>
    <p><strong>Note:</strong> keep the receipt.</p>
    </blockquote>
    <table>
    <thead>
    <tr>
    <th class="align-left">Size</th>
    <th class="align-right">Price</th>
    </tr>
    </thead>
    <tbody>
    <tr>
    <td class="align-left">S</td>
    <td class="align-right">4 €</td>
    </tr>
    </tbody>
    </table>
    <pre><code class="language-js">let a = 1 &lt; 2;
    </code></pre>
    <p><img src="https://chat.example.com/api/files/kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk" alt="A parcel" title="Yours" width="20" height="10" loading="lazy" /></p>
    <ol start="3">
    <li>three</li>
    <li>four</li>
    </ol>
    <h3 id="s-costs">Costs</h3>
    "
  `);
});

test('nothing that runs, no foreign pictures and no styles come through', () => {
  const html = renderArticle(
    [
      '<script>alert(1)</script>',
      '[a](javascript:alert%281%29) [b](data:text/html,x) [c](vbscript:x) [d](//evil.example.com)',
      '![p](https://evil.example.com/p.png) ![q](/api/files/short) ![r](/api/files/../x)',
      '<img src=x onerror=alert(1)> <b style="x">bold</b>',
      '```"onclick="alert(1)\nx\n```',
    ].join('\n\n'),
  );
  expect(html).toMatchInlineSnapshot(`
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>
    <p>[a](javascript:alert%281%29) [b](data:text/html,x) [c](vbscript:x) <a>d</a></p>
    <p>  </p>
    <p>&lt;img src=x onerror=alert(1)&gt; &lt;b style="x"&gt;bold&lt;/b&gt;</p>
    <pre><code>x
    </code></pre>
    "
  `);
});

/** Pieces of Markdown and HTML that may hurt where they meet. */
const piece = fc.oneof(
  fc.constantFrom(
    ...['<', '>', '"', "'", '`', '![', '[', '](', ')', '<script>', '<img src=x onerror=a>', '</a>', '<svg/onload=a>'],
    ...[
      'javascript:',
      'data:',
      '//',
      '&#106;',
      '&lt;',
      '\n',
      '\n\n',
      '> ',
      '# ',
      '- ',
      '1. ',
      '| ',
      '|-',
      '```',
      '~~~',
    ],
    ...['**', '_', '~~', '\\', '<!--', '-->', '<![CDATA[', '<?', '\u0000', '\u2028', ` /api/files/${KEY}`, ' "t"'],
    ...['<style>', '</code>', '<a href=', 'x:y', '\t', '    ', '[x]: ', '<https://a.b>', '&colon;', '\ud800'],
  ),
  fc.string({ maxLength: 5, unit: 'binary' }),
);

test('whatever is written, only the listed tags and attributes come out', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const html = renderArticle(pieces.join(''));
      for (const { name, attributes } of tagsIn(html)) {
        expect(Object.keys(ARTICLE_TAGS)).toContain(name);
        for (const attribute of Object.keys(attributes)) expect(ARTICLE_TAGS[name]).toContain(attribute);
        const { href, src } = attributes;
        if (href) expect(href.replace(/\s/g, '')).not.toMatch(/^(?!https?:|mailto:|tel:)[\w+.-]*:|^\/\//i);
        if (src) expect(src).toMatch(/^\/api\/files\/[\w-]{43}$/);
      }
    }),
  );
});

test('each heading has an id of its own, however alike they are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'a 2', 'a-2', '😀', 'x'.repeat(200), ''), { maxLength: 30 }),
      (titles) => {
        const ids = tagsIn(renderArticle(titles.map((title) => `## ${title}`).join('\n\n'))).map(
          ({ attributes }) => attributes.id,
        );
        expect(new Set(ids).size).toBe(titles.length);
      },
    ),
  );
});

test('the description is the beginning in plain words', () => {
  expect(plainText('# Returns\n\nWrite **within**\n14 [days](https://a.example) ![x](y) or `less`.', 300)).toBe(
    'Returns Write within 14 days x or less.',
  );
  expect(plainText('one two three four five', 12)).toBe('one two…');
});
