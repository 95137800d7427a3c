// A server that speaks the OpenAI chat completions protocol, and says what it is told to: for tests, the demo, and trying out.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SCRIPTS } from './scripts.js';

const BYTES_PER_TOKEN = 4;

/** Lets those who wait pass one by one, as it is opened. */
function createGate() {
  let open = 0;
  /** @type {(() => void)[]} */
  const waiting = [];
  return {
    waits: () => waiting.length,
    pass: () => (open > 0 ? void open-- : new Promise((done) => void waiting.push(() => done(undefined)))),
    close() {
      open = 0;
    },
    release(count = 1) {
      for (let i = 0; i < count; i++) {
        const next = waiting.shift();
        if (next) next();
        else open++;
      }
    },
  };
}

/**
 * Starts a stand-in of a language model. What it says is the script set last by `use`, else the one named in the model's name after a
 * colon (`stand-in:html`, `stand-in:cut=80`), else `quote`; over HTTP, `POST /control {"scripts": ["429", "quote"]}` and
 * `{"release": 1}` do the same as `use` and `release`.
 */
export async function startModelStandIn({ port = 0, host = '127.0.0.1' } = {}) {
  /** @type {string[]} */
  let scripts = [];
  const gate = createGate();
  /** All requests so far. @type {{ headers: import('node:http').IncomingHttpHeaders, body: any, closed: boolean }[]} */
  const requests = [];

  const server = createServer(async (req, res) => {
    const body = req.method === 'POST' ? await json(req).catch(() => null) : null;
    if (req.url === '/control') {
      if (body?.scripts) scripts = body.scripts;
      gate.release(body?.release ?? 0);
      return void res.writeHead(204).end();
    }
    if (req.url === '/v1/models')
      return void sendJson(res, { object: 'list', data: [{ id: 'stand-in', object: 'model' }] });
    if (req.url !== '/v1/chat/completions' || !Array.isArray(body?.messages)) return void res.writeHead(404).end();
    const request = { headers: req.headers, body, closed: false };
    requests.push(request);
    res.on('close', () => {
      request.closed = true;
    });
    const named = scripts.length > 1 ? scripts.shift() : scripts[0];
    const [name = '', value = ''] = (named ?? body.model.split(':')[1] ?? 'quote').split('=');
    await play(res, body, (SCRIPTS[name] ?? SCRIPTS.quote)(body, value), gate);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    url: `http://${host}:${bound}/v1`,
    requests,
    /** From now on, one by one; the last one stays. None: as the model's name says. */
    use: (/** @type {string[]} */ ...names) => {
      scripts = names;
      gate.close();
    },
    /** Lets so many more sentences of `gated` pass. */
    release: gate.release,
    /** How many sentences wait for that. */
    waits: gate.waits,
    async stop() {
      gate.release(1_000);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers one request with what a script says. */
async function play(res, body, plan, gate) {
  if (plan.silent) return;
  if (plan.body !== undefined) {
    res.writeHead(plan.status, { 'Content-Type': plan.type ?? 'application/json', ...plan.headers }).end(plan.body);
    return;
  }
  const text = `${plan.before ?? ''}${plan.text}`;
  const usage = plan.usage === false ? undefined : usageOf(body, text);
  const about = { id: 'chatcmpl-stand-in', created: 0, model: body.model };
  if (!body.stream || plan.asJson) {
    const message = { role: 'assistant', content: text };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    if (plan.cutAfter) return cutOff(res, JSON.stringify({ ...about, choices }), plan.cutAfter);
    return sendJson(res, { ...about, object: 'chat.completion', choices, usage });
  }
  res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  const event = (data) => `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', ...data })}\n\n`;
  const delta = (content, finish_reason = null) =>
    event({ choices: [{ index: 0, delta: { content }, finish_reason }] });
  if (plan.endless) {
    while (!res.destroyed && (await written(res, delta(plan.text))));
    return;
  }
  if (plan.cutAfter)
    return cutOff(
      res,
      piecesOf(text)
        .map((piece) => delta(piece))
        .join(''),
      plan.cutAfter,
    );
  const asked = body.stream_options?.include_usage && usage ? [event({ choices: [], usage })] : [];
  const failure = `data: ${JSON.stringify({ error: { message: 'The model has crashed.' } })}\n\n`;
  const parts = plan.gated || plan.pauseMs ? sentencesOf(text) : piecesOf(text);
  for (const [at, part] of parts.entries()) {
    if (plan.gated) await gate.pass();
    if (plan.pauseMs && at > 0) await sleep(plan.pauseMs);
    if (res.destroyed) return;
    if (plan.byteByByte) for (const byte of Buffer.from(delta(part))) await written(res, Buffer.of(byte));
    else await written(res, delta(part));
    if (plan.errorAfter) return void res.end(failure);
  }
  if (plan.stuck) return;
  res.end([delta('', 'stop'), ...asked, 'data: [DONE]\n\n'].join(''));
}

/** Pieces that cut words, as those of a model do. */
const piecesOf = (text) => text.match(/[\s\S]{1,7}/gu) ?? [];
const sentencesOf = (text) => text.split(/(?<=[.!?。！？؟\n])(?=\s|\p{L})/u);

const usageOf = ({ messages }, text) => {
  const tokens = (said) => Math.ceil(Buffer.byteLength(said) / BYTES_PER_TOKEN);
  const prompt_tokens = messages.reduce((sum, { content }) => sum + tokens(content) + 4, 0);
  const completion_tokens = tokens(text);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
};

function sendJson(res, data) {
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(data));
}

/** Sends so many bytes, and closes the connection. */
async function cutOff(res, whole, bytes) {
  if (!res.headersSent)
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(whole) });
  await written(res, Buffer.from(whole).subarray(0, bytes));
  res.destroy();
}

/** Writes, and waits until it is on its way. @returns whether the reader is still there */
const written = (res, piece) => new Promise((done) => res.write(piece, (error) => done(!error)));
