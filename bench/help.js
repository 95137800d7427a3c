// npm run bench -- help: how long a page of a help centre with 500 articles takes, and a search in it, against the landing page, which
// is a compressed file. One request after the other, on one connection, as a reader makes them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../scripts/setup.js';
import { startParley } from './tools/parley.js';
import { percentile, report } from './tools/statistics.js';
import { MEMBER } from './tools/targets.js';

const ARTICLES = 500;
const REQUESTS = 1_000;
const PUBLISHING = 20;
const TEXTS = join(ROOT, 'scripts/demo/articles');
const QUESTIONS = [
  'when will my order arrive',
  'the glass is broken',
  'wax in my lantern',
  'which oil may I use',
  'gift card',
];

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const parley = await startParley(dataDir);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  const form = { name: 'Ana Ruiz', ...MEMBER, confirmPassword: MEMBER.password };
  const { token } = await parley.call('POST /auth/register', { body: form });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  const settings = { enabled: true, handle: 'shop', rev: 0 };
  await parley.call(`PATCH /sites/${site._id}/help-center`, { token, body: settings });
  await publishArticles(site._id, token);

  const landing = await timesOf(() => '/');
  const page = await timesOf((i) => `/help/shop/en/article-${i % ARTICLES}`);
  const start = await timesOf(() => '/help/shop/en');
  const ask = (i) =>
    `/api/widget/${site.widgetCode}/answers?all=yes&q=${encodeURIComponent(`${QUESTIONS[i % QUESTIONS.length]} ${i}`)}`;
  const search = await timesOf(ask);
  for (const [what, times] of Object.entries({ 'an article': page, 'the start page': start, 'a search': search })) {
    report(`${what}, p95`, percentile(times, 0.95), percentile(landing, 0.95), 'ms', {}, 'landing page');
  }
} finally {
  agent.destroy();
  await parley.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function publishArticles(siteId, token) {
  const texts = readdirSync(TEXTS).map((name) => readFileSync(join(TEXTS, name), 'utf8'));
  const publish = async (i) => {
    const body = { title: `Article ${i}`, text: texts[i % texts.length] };
    const { article } = await parley.call(`POST /sites/${siteId}/articles`, { token, body });
    await parley.call(`POST /articles/${article._id}/publish`, { token, body: {} });
  };
  for (let i = 0; i < ARTICLES; i += PUBLISHING)
    await Promise.all(Array.from({ length: PUBLISHING }, (_, at) => publish(i + at)));
}

/** The milliseconds of each request, once all of them were made before. */
async function timesOf(pathOf) {
  const times = [];
  for (let i = 0; i < 2 * REQUESTS; i++) {
    const began = performance.now();
    await load(pathOf(i % REQUESTS));
    if (i >= REQUESTS) times.push(performance.now() - began);
  }
  return times;
}

function load(path) {
  return new Promise((done, failed) => {
    const headers = { 'Accept-Encoding': 'br', 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)' };
    get(parley.url + path, { agent, headers }, (response) => {
      response
        .resume()
        .on('end', () => (response.statusCode === 200 ? done() : failed(new Error(`${path}: ${response.statusCode}`))));
    }).on('error', failed);
  });
}
