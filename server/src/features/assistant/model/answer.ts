import { cutOff, notTheProtocol, tooMuch } from './failures.ts';
import { createThinkFilter } from './thinking.ts';

/** More bytes than any answer has, its events included. */
const ANSWER_MAX_BYTES = 1_000_000;
const EVENTS_TYPE = 'text/event-stream';
const DONE = '[DONE]';

/** The tokens of one call. */
export interface TokenUsage {
  prompt: number;
  completion: number;
  /** The server did not say: they are estimated. */
  isEstimated: boolean;
}

/** What an answer holds so far. */
export interface ReadAnswer {
  text: string;
  usage: Omit<TokenUsage, 'isEstimated'> | null;
}

/** A part of the protocol: all of it is optional, because it comes from outside. */
interface Chunk {
  choices?: { delta?: { content?: unknown }; message?: { content?: unknown }; finish_reason?: unknown }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
  error?: unknown;
}

/**
 * Reads an answer of a model, as it is: as events, or as one JSON.
 * @param onText hears what the model says, piece by piece, without what it thinks
 * @throws ModelError
 */
export async function readAnswer(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  onText: (piece: string) => void,
): Promise<ReadAnswer> {
  const answer: ReadAnswer = { text: '', usage: null };
  const filter = createThinkFilter();
  const say = (piece: string) => {
    if (piece === '') return;
    answer.text += piece;
    onText(piece);
  };
  const take = (chunk: Chunk) => {
    answer.usage = usageOf(chunk) ?? answer.usage;
    say(filter.add(textOf(chunk)));
  };
  if (contentType.includes(EVENTS_TYPE)) await readEvents(body, take);
  else take(whole(parse(await wholeText(body))));
  say(filter.end());
  return answer;
}

async function readEvents(body: AsyncIterable<Uint8Array>, take: (chunk: Chunk) => void): Promise<void> {
  let isComplete = false;
  for await (const line of linesOf(body)) {
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    if (data === DONE) return;
    const chunk = parse(data);
    take(chunk);
    isComplete ||= typeof chunk.choices?.[0]?.finish_reason === 'string';
  }
  // Not all servers send the last line, but all say why the model has stopped.
  if (!isComplete) throw cutOff();
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of textsOf(body)) {
    const lines = (rest + piece).split(/\r\n|\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function wholeText(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of textsOf(body)) text += piece;
  return text;
}

/** Decodes pieces that may end inside a character. @throws ModelError where they are too many */
async function* textsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > ANSWER_MAX_BYTES) throw tooMuch();
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

function parse(text: string): Chunk {
  let chunk: unknown;
  try {
    chunk = JSON.parse(text);
  } catch {
    throw notTheProtocol();
  }
  if (typeof chunk !== 'object' || chunk === null) throw notTheProtocol();
  const { choices, error } = chunk as Chunk;
  // Some servers fail in the middle of an answer, and say so in it.
  if (error) throw cutOff();
  if (choices !== undefined && !Array.isArray(choices)) throw notTheProtocol();
  return chunk;
}

/** @throws ModelError where the JSON is one of another protocol */
function whole(chunk: Chunk): Chunk {
  if (!chunk.choices?.length) throw notTheProtocol();
  return chunk;
}

function textOf({ choices }: Chunk): string {
  const content = choices?.[0]?.delta?.content ?? choices?.[0]?.message?.content;
  if (typeof content === 'string') return content;
  // Some say it in parts, of which one is what the model thinks.
  if (!Array.isArray(content)) return '';
  return content.map((part) => (part?.type === 'text' && typeof part.text === 'string' ? part.text : '')).join('');
}

function usageOf({ usage }: Chunk): ReadAnswer['usage'] {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
  return isCount(prompt) && isCount(completion) ? { prompt, completion } : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
