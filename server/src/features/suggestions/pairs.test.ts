import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { startCluster } from '#test/nodes';
import type { Suggestion } from '../../../contract.ts';
import { createRanking, passagesOf } from '../knowledge/index.ts';

const FOLDER = new URL('../knowledge/retrieval/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8');
const LANGUAGES = readdirSync(new URL('questions/', FOLDER)).map((name) => name.replace('.tsv', ''));
/** Of 200 questions, those with the right answer among three: no fewer than the articles themselves find on this level. */
const AMONG_THREE_MIN = 112;

test('of answers to earlier questions, the right one is among three no less often than the right article', async () => {
  let found = 0;
  const ranking = createRanking('en', { keepsTexts: false });
  for (const lang of LANGUAGES) {
    for (const part of read(`articles/${lang}.md`).split(/^(?=# [\w-]+: )/m)) {
      const [head = '', ...lines] = part.split('\n');
      const [, id = '', title = ''] = /^# ([\w-]+): (.*)$/.exec(head) ?? [];
      // The title as the earlier question, the text as its answer: one index for all languages, as a site has it.
      const text = passagesOf(lines.join('\n'))
        .map((passage) => `${passage.headings} ${passage.text}`)
        .join(' ');
      const source = { id: `${lang} ${id}`, title: '', alsoAsked: [title], lang };
      if (id !== '') ranking.add({ ...source, passages: [{ headings: '', text }] });
    }
  }
  const { find } = await ranking.done();
  for (const lang of LANGUAGES) {
    for (const line of read(`questions/${lang}.tsv`).trim().split('\n')) {
      const [id, question = ''] = line.split('\t');
      if (find(question, 3, { level: 'suggest', lang }).some((hit) => hit.id === `${lang} ${id}`)) found++;
    }
  }
  expect(found).toBeGreaterThanOrEqual(AMONG_THREE_MIN);
});

test('two nodes suggest the same, and neither suggests what the other one has deleted', async () => {
  const cluster = await startCluster(2);
  try {
    const [one, other] = cluster.nodes;
    if (!one || !other) throw new Error('There are no two nodes.');
    const owner: Account = await signUp(one.api);
    const as = async (node: typeof one, call: string, body?: object) =>
      (await node.api(call, { token: owner.token, ...(body && { body }) })).body.data;
    const site = await createSite(one.api, owner.token);
    await as(one, `PATCH /sites/${site._id}/assistant`, { step: 'suggest', rev: 0 });
    const past = await say(one.api, site, await visit(one.api, site), 'Does the lantern burn with ordinary oil?');
    const content = 'Ordinary lamp oil is fine for every lantern of ours.';
    await as(one, `POST /chats/${past}/messages`, { clientId: randomUUID(), content });
    await as(other, `POST /chats/${past}/close`);
    const chat = await say(other.api, site, await visit(other.api, site), 'Which oil may the lantern burn with?');
    const suggested = async (node: typeof one): Promise<Suggestion[]> =>
      (await as(node, `GET /chats/${chat}/suggestions`))?.suggestions ?? [];
    for (const node of [one, other]) await until(async () => (await suggested(node))[0]?.text === content);
    expect(await suggested(one)).toEqual(await suggested(other));
    await as(one, `DELETE /chats/${past}`);
    expect(await suggested(other)).toEqual([]);
  } finally {
    await cluster.stop();
  }
});
