import { expect, test } from 'vitest';
import { documentOf } from './pages.js';

const SHELL = '<head><title>Parley</title></head><body><div id="root"><noscript>No</noscript></div></body>';

test('a pre-rendered page has its own head and its markup in the root element', () => {
  const page = { path: '/prices', title: 'Less & "more"', description: 'From $& to $1 <free>', html: '<p>$&</p>' };
  const document = documentOf(SHELL, page);
  expect(document).toContain('<title>Less &amp; &quot;more&quot;</title>');
  expect(document).toContain('content="From $&amp; to $1 &lt;free&gt;"');
  expect(document).toContain('content="__PUBLIC_URL__/prices"');
  expect(document).toContain('<div id="root" data-pre><p>$&</p></div></body>');
});

test('an unexpected index.html is an error, not a page without content', () => {
  expect(() => documentOf('<html></html>', { path: '/', title: '', description: '', html: '' })).toThrow(/no/);
});
