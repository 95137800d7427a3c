import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ARTICLES = join(import.meta.dirname, 'articles');

/** The categories, with their articles in order: files of `articles/`, whose first line is the title. */
const CATEGORIES = [
  {
    id: '0f8c5b7e-6c1d-4c0e-9a55-7d1f0b0c1a01',
    name: { en: 'Orders and delivery' },
    articles: ['delivery', 'change-order', 'returns', 'broken-glass', 'gifts'],
  },
  {
    id: '0f8c5b7e-6c1d-4c0e-9a55-7d1f0b0c1a02',
    name: { en: 'Your lantern' },
    articles: ['candles-or-led', 'clean', 'spare-parts'],
  },
];

/** Opens the help centre of a site with eight articles, which the widget shows first. @param call makes a call of the API */
export async function openHelpCenter(call, siteId) {
  const { helpCenter } = await call('PATCH', `/sites/${siteId}/help-center`, {
    enabled: true,
    handle: 'harbour-lanterns',
    language: 'en',
    widget: 'first',
    rev: 0,
  });
  const categories = CATEGORIES.map(({ id, name }) => ({ id, name }));
  await call('PUT', `/sites/${siteId}/help-center/categories`, { categories, rev: helpCenter.rev });
  for (const { id, articles } of CATEGORIES) for (const file of articles) await publish(call, siteId, id, file);
}

async function publish(call, siteId, category, file) {
  const [title, ...lines] = readFileSync(join(ARTICLES, `${file}.md`), 'utf8').split('\n');
  const { article } = await call('POST', `/sites/${siteId}/articles`, {
    category,
    title: title.replace('# ', ''),
    text: lines.join('\n').trim(),
  });
  await call('POST', `/articles/${article._id}/publish`, {});
}
