import type { ArticleLanguage } from '#features/articles/contract';
import type { SiteDoc } from '#features/sites';
import { AppError } from '#platform/http';
import { SECOND_MS } from '#platform/time';
import type { AnswerSource, AssistantRun, HandOverReason } from '../contract.ts';
import type { ModelAnswer, ModelMessage } from '../model/client.ts';
import { ModelError } from '../model/failures.ts';
import type { Model } from '../model/model.ts';
import { withoutPersonalData } from '../model/prompt.ts';
import { groundingIn } from './grounding.ts';
import { passagesFor, type SourcePassage } from './passages.ts';
import { answerPrompt, type Said, wordsPrompt } from './prompts.ts';
import { createAnswerReader, UnsourcedError } from './reading.ts';

const WORDS_TOKENS = 60;
const WORDS_MAX_MS = 15 * SECOND_MS;
const WORDS_MAX_LENGTH = 200;
const ANSWER_TOKENS = 500;
const ANSWER_MAX_MS = 35 * SECOND_MS;
const FIRST_TOKEN_MS = 20 * SECOND_MS;
const PERSON = /^\W*PERSON\W*$/;

/** A question to the assistant. */
export interface Question {
  site: SiteDoc;
  question: string;
  /** What was said before. */
  history: Said[];
  lang: ArticleLanguage;
  signal?: AbortSignal | undefined;
  /** Hears each sentence when it is released. @param upTo the length of the answer with it */
  onSentence?(text: string, upTo: number): void;
}

/** What came of a question. */
export interface Outcome extends Omit<AssistantRun, '_id' | 'chatId' | 'at'> {
  /** The articles that the answer is made of, in the order of their numbers in it. */
  sources: AnswerSource[];
}

/** Answers a question from what the site has published, or says why a person is to answer. Throws only where `signal` ended it. */
export type AnswerQuestion = (question: Question) => Promise<Outcome>;

/** Makes what answers questions with the operator's model. It stores nothing. */
export function createAnswerer({
  model,
  publicUrl,
  now,
}: {
  model: Model;
  publicUrl: string | null;
  now: () => number;
}): AnswerQuestion {
  return async ({ site, question, history, lang, signal, onSentence = () => {} }) => {
    const began = now();
    const outcome: Outcome = {
      question: withoutPersonalData(question),
      words: [],
      outcome: 'handedOver',
      passages: [],
      sent: [],
      sources: [],
      answer: '',
      model: model.name,
      tokens: 0,
      ms: 0,
    };
    const count = ({ usage }: ModelAnswer) => {
      outcome.tokens += usage.prompt + usage.completion;
    };

    async function searchWords(): Promise<string | null> {
      outcome.sent = wordsPrompt(question, languagesOf(site, lang));
      const said = await model.complete(site, outcome.sent, { maxTokens: WORDS_TOKENS, signal, totalMs: WORDS_MAX_MS });
      count(said);
      if (PERSON.test(said.text.trim())) return null;
      outcome.words = said.text
        .slice(0, WORDS_MAX_LENGTH)
        .split(/[\s,;]+/)
        .filter(Boolean);
      return outcome.words.join(' ');
    }

    async function say(passages: SourcePassage[], messages: ModelMessage[]) {
      const stopped = new AbortController();
      let refused: unknown;
      const reader = createAnswerReader({
        passages: passages.length,
        groundingIn: (cited) => groundingIn(...textsOf(passages, cited)),
        onSentence,
      });
      const onText = (piece: string) => {
        if (stopped.signal.aborted) return;
        try {
          reader.add(piece);
        } catch (error) {
          // The rest of the answer is of no use.
          refused = error;
          stopped.abort();
        }
      };
      const both = AbortSignal.any([stopped.signal, ...(signal ? [signal] : [])]);
      const ask = { maxTokens: ANSWER_TOKENS, signal: both, firstTokenMs: FIRST_TOKEN_MS, totalMs: ANSWER_MAX_MS };
      try {
        count(await model.stream(site, messages, { ...ask, onText }));
      } catch (error) {
        throw refused ?? error;
      }
      if (refused) throw refused;
      return reader.end();
    }

    async function run(): Promise<HandOverReason | null> {
      const words = await searchWords();
      if (words === null) return 'person';
      const passages = await passagesFor(site, { question, words, lang, publicUrl });
      outcome.passages = passages.map(({ source }) => source);
      if (passages.length === 0) return 'unknown';
      outcome.sent = answerPrompt(question, { passages, history, lang: passages[0]?.source.lang ?? lang });
      const { answer, cited } = await say(passages, outcome.sent);
      outcome.answer = answer;
      outcome.sources = sourcesOf(passages, cited);
      return null;
    }

    try {
      const reason = await run();
      if (reason) outcome.reason = reason;
      else outcome.outcome = 'answered';
    } catch (error) {
      if (signal?.aborted) throw error;
      outcome.reason = reasonOf(error);
      outcome.detail = (error as Error).message;
    }
    return { ...outcome, ms: now() - began };
  };
}

/** The languages of the articles that a visitor may read. */
function languagesOf({ help }: SiteDoc, lang: ArticleLanguage): ArticleLanguage[] {
  return [...new Set([lang, help?.language ?? lang])];
}

/** The texts with these numbers, in the language that they are in. */
function textsOf(passages: SourcePassage[], cited: number[]): [texts: string[], lang: string] {
  const used = cited.flatMap((number) => passages[number - 1] ?? []);
  return [used.map(({ source, text }) => `${source.title}\n${text}`), used[0]?.source.lang ?? ''];
}

/** The articles of these passages, each once. */
function sourcesOf(passages: SourcePassage[], cited: number[]): AnswerSource[] {
  const sources = cited.flatMap((number) => passages[number - 1]?.source ?? []);
  return [...new Map(sources.map((source) => [source.article, source])).values()];
}

/** @throws what is a mistake of the program */
function reasonOf(error: unknown): HandOverReason {
  if (error instanceof UnsourcedError) return 'unsourced';
  if (error instanceof AppError && error.code === 'BUDGET_SPENT') return 'budget';
  if (error instanceof ModelError) return error.kind === 'silent' ? 'silent' : 'failed';
  throw error;
}
