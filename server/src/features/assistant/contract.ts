import type { ArticleLanguage } from '#features/articles/contract';
import type { Page, PageQuery, Refusal } from '#platform/http/contract';

/**
 * How far a site lets Parley answer: `links` to articles only; `suggest`: agents get suggestions, and drafts where the server has a
 * model; `answer`: the assistant answers visitors before a person does.
 */
export const ASSISTANT_STEPS = ['links', 'suggest', 'answer'] as const;
export type AssistantStep = (typeof ASSISTANT_STEPS)[number];

/** When the assistant answers visitors: `always`, or only in chats that begin while nobody is online. */
export const ASSISTANT_TIMES = ['always', 'offline'] as const;
export type AssistantTimes = (typeof ASSISTANT_TIMES)[number];

export const ASSISTANT_NAME_MAX_LENGTH = 40;
/** Tokens that one site may be allowed in a day; 0: as many as the server has left. */
export const ASSISTANT_TOKENS_MAX = 1_000_000_000;
/** The answers of the assistant in one chat; the next question goes to a person. */
export const ASSISTANT_ANSWERS_MAX = 6;
/** Characters of one answer. */
export const ASSISTANT_ANSWER_MAX_LENGTH = 900;
/** Test questions of one site. */
export const ASSISTANT_TESTS_MAX = 50;
export const ASSISTANT_QUESTION_MAX_LENGTH = 500;

/** How the assistant of a site works. */
export interface AssistantSettings {
  step: AssistantStep;
  when: AssistantTimes;
  /** What visitors see as the name of the sender. Empty: 'Assistant' in their language. */
  name: string;
  /** Ids of the categories whose articles it answers with; empty: all. */
  categories: string[];
  /** The languages in which it answers visitors; empty: all that it can. Others get a person. */
  languages: ArticleLanguage[];
  /** Tokens of a day (UTC); 0: no limit but the server's. */
  tokensPerDay: number;
  /** Grows with each change, for optimistic locking. */
  rev: number;
}

/** Any part of the settings. `rev`: the one that was seen; if it is another by now, the answer is 409 `SETTINGS_CHANGED`. */
export type AssistantPatch = Partial<Omit<AssistantSettings, 'rev'>> & Pick<AssistantSettings, 'rev'>;

/**
 * Why a person took over. `asked`: the visitor pressed the button. `person`: the visitor wrote so. `unknown`: nothing published is
 * about it. `unsourced`: the model named no source, or a sentence was not in its source. `unhelpful`: two answers did not help.
 * `answers`: so many answers are enough. `silent`, `failed`: the model. `budget`: the day's tokens are spent. `limit`: this visitor asked
 * too often. `restart`: the server stopped in the middle. `agent`: a member claimed, wrote or answered. `off`: switched off.
 * `mail`: the visitor answered by mail.
 */
export const HAND_OVER_REASONS = [
  'asked',
  'person',
  'unknown',
  'unsourced',
  'unhelpful',
  'answers',
  'silent',
  'failed',
  'budget',
  'limit',
  'restart',
  'agent',
  'off',
  'mail',
] as const;
export type HandOverReason = (typeof HAND_OVER_REASONS)[number];

/** The assistant in a chat, as the team sees it. */
export interface ChatAssistant {
  /** Whether it has the chat: the chat waits for nobody, and rings nobody. */
  active: boolean;
  /** Why it has not, or no longer. */
  reason?: HandOverReason;
  /** How often it answered. */
  answers: number;
}

/** The assistant in an open chat, as the visitor sees it; left out there: a person answers. */
export interface VisitorAssistant {
  /** Empty: 'Assistant' in the widget's language. */
  name: string;
  /** The run that is under way; left out: none. */
  run?: string;
}

/** A published article that an answer is made of, in the order of its numbers, from 1. */
export interface AnswerSource {
  title: string;
  /** Opens the article in the widget: the id of the article, and its language. */
  article: string;
  lang: ArticleLanguage;
  /** Its public page; null: the server has no `PUBLIC_URL`. */
  url: string | null;
}

/** A part of an answer on its way: volatile, as typing is. The message that follows has the whole. */
export interface AssistantText {
  chatId: string;
  /** Texts of another run than the last one begin anew. */
  run: string;
  /** The length of the answer with this part: a part whose beginning is not the length so far was preceded by one that got lost. */
  upTo: number;
  /** One or more whole sentences. */
  text: string;
}

/** What the assistant did with one question, as the team sees it. */
export interface AssistantRun {
  _id: string;
  /** Null: it was tried in the settings. */
  chatId: string | null;
  /** ISO 8601 UTC */
  at: string;
  question: string;
  /** The words that the model searched with. */
  words: string[];
  outcome: 'answered' | 'handedOver';
  reason?: HandOverReason;
  /** What stood behind the reason, for whoever operates the server: such as 'The model did not answer within 20 seconds.' */
  detail?: string;
  /** The articles whose passages were sent, the best first. */
  passages: AnswerSource[];
  /** Everything that was sent to the model at last, as it was sent. */
  sent: { role: 'system' | 'user' | 'assistant'; content: string }[];
  answer: string;
  model: string;
  tokens: number;
  ms: number;
}

/** A question that the assistant is tested with, and what is expected: an article's id, or a person. */
export interface AssistantTest {
  /** Made by the client: a UUID. */
  _id: string;
  question: string;
  lang: ArticleLanguage;
  /** The id of the article that has the answer; null: none has, a person is to answer. */
  article: string | null;
  /** The last result; left out: it has not run yet. */
  result?: { passed: boolean; got: string | null; title: string | null; at: string };
}

/** What the assistant did on one day. */
export interface AssistantDay {
  /** `YYYY-MM-DD`, UTC */
  day: string;
  answered: number;
  /** Answers of which visitors said that they helped, and that they did not. */
  helped: number;
  notHelped: number;
  handedOver: Partial<Record<HandOverReason, number>>;
  /** Suggestions that were sent unchanged. */
  accepted: number;
  tokens: number;
}

/**
 * What the model may do for an agent: `draft` the next answer, make a text `shorter` or `friendlier`, `translate` it into the
 * agent's language or into the visitor's, or write a `summary` of the chat.
 */
export const DRAFT_ACTIONS = [
  'draft',
  'shorter',
  'friendlier',
  'translate',
  'translate-for-visitor',
  'summary',
] as const;
export type DraftAction = (typeof DRAFT_ACTIONS)[number];

export const LANGUAGE_TAG_MAX_LENGTH = 35;

/** What an agent wants written. */
export interface DraftBody {
  action: DraftAction;
  /** What is made shorter or friendlier, or translated. */
  text?: string;
  /** The agent's own language, as a BCP 47 tag. */
  language: string;
}

/** One event of an answer: a piece of its text, that it is complete, or why it is not. */
export type DraftEvent = { text: string } | { done: true } | { failure: Omit<Refusal, 'ok' | 'retryable'> };

/** The call with which agents let the model write. */
export interface DraftApi {
  /** The answer is a stream of events (`text/event-stream`), each with a `DraftEvent` as its data. */
  'POST /chats/:id/draft': { body: DraftBody; data: never };
}

/** The tokens of the day are running out, or have: shown to platform admins. */
export interface ModelNotice {
  about: 'model';
  percent: number;
}

/** The settings with what the team needs to judge them. */
export interface AssistantState extends AssistantSettings {
  /** The name of the operator's model; null: there is none, so nothing is drafted, and nobody but people answers. */
  model: string | null;
  /** The tokens of the site on this day (UTC). */
  today: {
    tokens: number;
    /** The site's own limit, or that of the server if it is lower; null: neither has one. */
    limit: number | null;
    /** Nothing is left for any site of the server. */
    isServerSpent: boolean;
  };
}

/** A test question without its result. */
export type AssistantTestBody = Omit<AssistantTest, 'result'>;

/** The test questions of a site. */
export interface AssistantTests {
  tests: AssistantTest[];
  /** They are being asked, or will be in a moment. */
  running: boolean;
  /** Grows with each change of the questions, for optimistic locking. */
  rev: number;
}

/** What a question that is tried would get. */
export interface AssistantTry {
  /** What the assistant did; null: the server has no model. */
  run: AssistantRun | null;
  /** The articles that the answer is made of, in the order of their numbers; without a model, those that visitors are shown while they write. */
  links: AnswerSource[];
}

/** Which runs of a site are listed. */
export interface RunsQuery extends PageQuery {
  failed?: 'yes';
}

/** The calls of the assistant's settings. */
export interface AssistApi {
  /** `hasModel`: the server has a language model; without one, step `answer` is as `suggest`. */
  'GET /sites/:id/assistant': { data: { assistant: AssistantState; hasModel: boolean } };
  'PATCH /sites/:id/assistant': { body: AssistantPatch; data: { assistant: AssistantState } };
  /** Oldest first, one for each day, today included. */
  'GET /sites/:id/assistant/days': { query: { days?: number }; data: { days: AssistantDay[] } };
  /** What it did with the last questions, the newest first; kept for 30 days. `failed`: only those that it gave to people. */
  'GET /sites/:id/assistant/runs': { query: RunsQuery; data: { runs: AssistantRun[] } & Page };
  /** Asks a question as a visitor would, without a chat. Without a language: in the main one of the help centre. */
  'POST /sites/:id/assistant/try': { body: { question: string; lang?: ArticleLanguage }; data: AssistantTry };
  'GET /sites/:id/assistant/tests': { data: AssistantTests };
  /** Replaces the questions and runs them. `rev`: the one that was seen; if it is another by now, the answer is 409 `SETTINGS_CHANGED`. */
  'PUT /sites/:id/assistant/tests': { body: { tests: AssistantTestBody[]; rev: number }; data: AssistantTests };
  /** They also run by themselves after an article was published or withdrawn. */
  'POST /sites/:id/assistant/tests/run': { data: AssistantTests };
}
