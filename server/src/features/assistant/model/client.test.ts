import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { createModelClient, type ModelMessage, type ModelStreamAsk } from './client.ts';
import { ModelError } from './failures.ts';
import { fencedPassages } from './prompt.ts';

const FIRST = 'Du kannst alles dreißig Tage lang zurückgeben – auch 日本 🎈.';
const PASSAGES = fencedPassages([{ title: 'Rückgabe', text: `${FIRST} Das kostet nichts.` }]);
const ASKED: ModelMessage[] = [
  { role: 'system', content: `Answer from these passages.\n${PASSAGES}` },
  { role: 'user', content: 'Kann ich das zurückgeben?' },
];

let standIn: ModelStandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterEach(() => {
  standIn.use();
  standIn.requests.length = 0;
});
afterAll(() => standIn.stop());

const client = (more = {}) => createModelClient({ ...modelOf(standIn), ...more });
const complete = (more = {}) => client().complete(ASKED, { maxTokens: 60, ...more });

async function stream(more: Partial<ModelStreamAsk> = {}, asked = client()) {
  const pieces: string[] = [];
  const onText = (piece: string) => void pieces.push(piece);
  return { ...(await asked.stream(ASKED, { maxTokens: 300, onText, ...more })), pieces };
}

const failureOf = (work: Promise<unknown>): Promise<ModelError> =>
  work.then(
    () => expect.fail('it should have failed'),
    (error) => error as ModelError,
  );

test('an answer comes whole or piece by piece, with its tokens and its time', async () => {
  const whole = await complete();
  const piecewise = await stream();
  for (const { text, usage, ms } of [whole, piecewise]) {
    expect(text).toBe(FIRST);
    expect(usage).toEqual({ prompt: expect.any(Number), completion: expect.any(Number), isEstimated: false });
    expect(ms).toBeGreaterThanOrEqual(0);
  }
  expect(piecewise.pieces.length).toBeGreaterThan(3);
  expect(piecewise.pieces.join('')).toBe(FIRST);
  const [{ headers, body } = expect.fail(), streamed] = standIn.requests;
  expect(headers.authorization).toBe('Bearer the-key-of-tests');
  expect(body).toEqual({ model: 'stand-in', messages: ASKED, max_tokens: 60, stream: false });
  expect(streamed?.body).toMatchObject({ max_tokens: 300, stream: true });
});

test.each(['bytes', 'json', 'think', 'no-usage', 'stream-options'])(
  'the answer is the same with %s',
  async (script) => {
    standIn.use(script);
    expect((await complete()).text).toBe(FIRST);
    const { text, pieces, usage } = await stream();
    expect([text, pieces.join('')]).toEqual([FIRST, FIRST]);
    expect(usage.isEstimated).toBe(script === 'no-usage' || script === 'stream-options');
    expect(usage.completion).toBeGreaterThan(FIRST.length / 5);
  },
);

test('a model that knows max_tokens by another name is asked again, once', async () => {
  standIn.use('max-tokens');
  const asked = client();
  expect((await stream({}, asked)).text).toBe(FIRST);
  expect((await asked.complete(ASKED, { maxTokens: 60 })).text).toBe(FIRST);
  expect(standIn.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
    [300, undefined],
    [undefined, 300],
    [undefined, 60],
  ]);
});

test('a model that only thinks says nothing', async () => {
  standIn.use('only-thinks');
  expect((await stream()).text).toBe('');
});

test.each([
  ['401', 'refused', /AI_KEY/],
  ['404', 'refused', /AI_MODEL/],
  ['429', 'busy', /too much to do/],
  ['500', 'failed', /fails/],
  ['html', 'notTheProtocol', /chat completions protocol/],
  ['other', 'notTheProtocol', /chat completions protocol/],
  ['redirect', 'notTheProtocol', /leads elsewhere/],
  ['cut=80', 'failed', /ended in the middle/],
])('%s is a failure with a sentence', async (script, kind, sentence) => {
  standIn.use(script);
  for (const work of [complete, stream]) {
    const failure = await failureOf(work());
    expect(failure).toBeInstanceOf(ModelError);
    expect([failure.kind, failure.message]).toEqual([kind, expect.stringMatching(sentence)]);
    expect(JSON.stringify({ ...failure, message: failure.message })).not.toContain('the-key-of-tests');
    expect(failure.retryAfterS).toBe(script === '429' ? 7 : undefined);
  }
});

test('an answer that fails halfway, or has no end, is a failure', async () => {
  standIn.use('fails-midway');
  expect((await failureOf(stream())).kind).toBe('failed');
  standIn.use('endless');
  expect((await failureOf(stream())).kind).toBe('tooMuch');
});

test('silence before the first word, or after it, ends the call', async () => {
  standIn.use('silence');
  expect((await failureOf(stream({ firstTokenMs: 50 }))).kind).toBe('silent');
  expect((await failureOf(complete({ totalMs: 50 }))).kind).toBe('silent');
  standIn.use('stuck');
  standIn.release(1);
  expect(await failureOf(stream({ firstTokenMs: 500 }))).toMatchObject({ kind: 'silent' });
  await expect.poll(() => standIn.requests.every(({ closed }) => closed)).toBe(true);
});

test('whoever asked can stop the answer in the middle, and the server hears of it', async () => {
  standIn.use('gated');
  const stop = new AbortController();
  const asked = failureOf(client().stream(ASKED, { maxTokens: 300, signal: stop.signal, onText: () => stop.abort() }));
  standIn.release(1);
  expect((await asked).kind).toBe('aborted');
  await expect.poll(() => standIn.requests[0]?.closed).toBe(true);
  expect((await failureOf(complete({ signal: AbortSignal.abort() }))).kind).toBe('aborted');
});

test('what the listener throws is thrown', async () => {
  const onText = () => {
    throw new RangeError('no more');
  };
  expect(await failureOf(stream({ onText }))).toBeInstanceOf(RangeError);
});

test('a server that is not there is named', async () => {
  const failure = await failureOf(client({ url: 'http://127.0.0.1:1/v1' }).complete(ASKED, { maxTokens: 60 }));
  expect([failure.kind, failure.text.values]).toEqual([
    'unreachable',
    { host: '127.0.0.1:1', code: expect.any(String) },
  ]);
});
