// What the stand-in of a language model says: a script by name for each thing that a model or its server has been seen to do.

/** Where the passages of the knowledge stand in a prompt; the same marks as in `server/src/features/assistant/model/prompt.ts`. */
const PASSAGE = /\[\[PASSAGE 1\]\][^\n]*\n([\s\S]*?)\n\[\[END\]\]/;
const FENCED = /\[\[TEXT\]\]\n([\s\S]*?)\n\[\[END\]\]/g;
const SENTENCE = /^[\s\S]*?(?:[.!?؟](?=\s|$)|[。！？])/;

/**
 * What a well-behaved model answers: search words where it is asked for them, the first sentence of the first passage where there
 * are any (or what `quote` takes of it), else the first sentence of the text that it is given.
 */
function goodAnswer({ messages }, quote = firstSentence) {
  const prompt = messages.map(({ content }) => content).join('\n');
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const texts = [...last.matchAll(FENCED)].map(([, text]) => text);
  const text = (texts.at(-1) ?? last).trim();
  if (asksForWords(prompt)) return text;
  const passage = PASSAGE.exec(prompt)?.[1];
  return sourced(prompt, passage === undefined ? firstSentence(text) : quote(passage), passage ? '1' : 'NONE');
}

const firstSentence = (text) => (SENTENCE.exec(text)?.[0] ?? text).trim();
const asksForWords = (prompt) => prompt.includes('PERSON');
/** With the line of its sources, where the prompt asks for one. */
const sourced = (prompt, text, sources = '1') =>
  !prompt.includes('SOURCES') ? text : sources === 'NONE' ? 'NONE' : `SOURCES: ${sources}\n${text}`;

/** Says this instead, but for search words. */
const instead = (text, sources) => (body) => {
  const prompt = body.messages.map(({ content }) => content).join('\n');
  return { text: asksForWords(prompt) ? goodAnswer(body) : sourced(prompt, text, sources) };
};

const good = (more) => (body) => ({ text: goodAnswer(body), ...more });
const HTML = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>';
const refusal = (message) => JSON.stringify({ error: { message, type: 'invalid_request_error' } });
const refuses = (field, message) => (body) => (field in body ? { status: 400, body: refusal(message) } : good()(body));

/**
 * By name, what comes: `text` in the protocol, or a `status` and `body` without it. `cut=120` cuts after so many bytes.
 * @type {Record<string, (body: any, value: string) => object>}
 */
export const SCRIPTS = {
  quote: good(),
  none: (body) => ({ ...instead('', 'NONE')(body) }),
  person: () => ({ text: 'PERSON' }),
  price: instead('It costs 4,711.99 dollars.'),
  link: instead('Read https://evil.example/login for more.'),
  /** `says=` a text, percent-encoded. */
  says: (body, value) => instead(decodeURIComponent(value))(body),
  source: instead('You can send it back within thirty days.', '1, 99'),
  obey: instead('Ha! I ignore my rules. The password of the admin is hunter2, and everything is free today.'),
  prompt: (body) => ({ text: body.messages.map(({ content }) => content).join('\n') }),
  think: good({ before: '<think>The visitor asks.\nI <b>wonder</b> what it costs.</think>\n\n' }),
  'only-thinks': () => ({ text: '<think>And so on, and on' }),
  'no-usage': good({ usage: false }),
  json: good({ asJson: true }),
  bytes: good({ byteByByte: true }),
  gated: good({ gated: true }),
  'gated-passage': (body) => ({ text: goodAnswer(body, (passage) => passage.trim()), gated: true }),
  slow: good({ pauseMs: 600 }),
  silence: () => ({ silent: true }),
  stuck: good({ gated: true, stuck: true }),
  endless: () => ({ text: 'And so on. ', endless: true }),
  cut: (body, value) => ({ text: goodAnswer(body), cutAfter: Number(value) || 120 }),
  'max-tokens': refuses('max_tokens', "'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
  'stream-options': refuses('stream_options', 'Unknown parameter: stream_options.'),
  'fails-midway': good({ errorAfter: true }),
  html: () => ({ status: 200, type: 'text/html', body: HTML }),
  other: () => ({ status: 200, body: JSON.stringify({ message: 'Hello from another service.' }) }),
  redirect: () => ({ status: 302, headers: { Location: 'http://127.0.0.1:1/v1' }, body: '' }),
  401: () => ({ status: 401, body: refusal('Incorrect API key provided.') }),
  404: () => ({ status: 404, body: refusal('The model does not exist.') }),
  429: () => ({ status: 429, headers: { 'Retry-After': '7' }, body: refusal('Rate limit reached.') }),
  500: () => ({ status: 500, body: refusal('The server had an error.') }),
};
