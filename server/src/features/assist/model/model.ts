import { events } from '#platform/events';
import { type BudgetUse, createBudget, type Reservation } from './budget.ts';
import {
  createModelClient,
  estimateTokens,
  type ModelAnswer,
  type ModelAsk,
  type ModelMessage,
  type ModelSettings,
  type ModelStreamAsk,
} from './client.ts';
import { countAssist } from './days.ts';
import { ModelError, type ModelFailureKind } from './failures.ts';

/** No tokenizer makes more tokens of a text than about one of two bytes. */
const BYTES_PER_TOKEN_MIN = 2;
/** What a server adds to each message: its role, and marks. */
const TOKENS_PER_MESSAGE = 16;
/** After these the server has computed nothing. */
const FREE: ModelFailureKind[] = ['unreachable', 'refused', 'busy', 'notTheProtocol'];

/** The operator's settings of the model. */
export interface ModelOptions extends ModelSettings {
  /** null: as many as sites ask for. */
  tokensPerDay: number | null;
}

/** The operator's model, within the budget of the day: every call of the product goes through it. */
export interface Model {
  /** Its name, and the host that has it. */
  readonly name: string;
  readonly host: string;
  /**
   * Answers with one text.
   * @param siteId whose figures count the tokens; null: they are the operator's own
   * @throws ModelError, AppError `BUDGET_SPENT`
   */
  complete(siteId: string | null, messages: ModelMessage[], ask: ModelAsk): Promise<ModelAnswer>;
  /** Answers piece by piece; otherwise as `complete`. */
  stream(siteId: string | null, messages: ModelMessage[], ask: ModelStreamAsk): Promise<ModelAnswer>;
  today(): Promise<BudgetUse>;
}

/** Makes the operator's model. */
export function createModel({ tokensPerDay, ...settings }: ModelOptions, now: () => number): Model {
  const client = createModelClient({ ...settings, now });
  const budget = createBudget(tokensPerDay, now);

  async function within(
    siteId: string | null,
    messages: ModelMessage[],
    ask: ModelAsk & Partial<ModelStreamAsk>,
  ): Promise<ModelAnswer> {
    const reservation = await budget.reserve(mostTokens(messages) + ask.maxTokens);
    let said = '';
    const { onText } = ask;
    const onPiece = (piece: string) => {
      said += piece;
      onText?.(piece);
    };
    try {
      const answer = await (onText
        ? client.stream(messages, { ...ask, onText: onPiece })
        : client.complete(messages, ask));
      await settle(siteId, reservation, answer.usage.prompt + answer.usage.completion);
      return answer;
    } catch (error) {
      const isFree = error instanceof ModelError && FREE.includes(error.kind);
      await settle(siteId, reservation, isFree ? 0 : fewestTokens(messages) + estimateTokens(said));
      throw error;
    }
  }

  /** An answer is not lost because its tokens could not be counted; what was reserved stays spent then. */
  async function settle(siteId: string | null, reservation: Reservation, used: number): Promise<void> {
    try {
      await budget.settle(reservation, used);
      if (siteId !== null && used > 0) await countAssist(siteId, { tokens: used }, now());
    } catch (error) {
      events.fail(error, 'budget of the assistant');
    }
  }

  return {
    name: settings.model,
    host: new URL(settings.url).host,
    complete: within,
    stream: within,
    today: budget.today,
  };
}

const mostTokens = (messages: ModelMessage[]) =>
  messages.reduce(
    (sum, { content }) => sum + TOKENS_PER_MESSAGE + Math.ceil(Buffer.byteLength(content) / BYTES_PER_TOKEN_MIN),
    0,
  );

const fewestTokens = (messages: ModelMessage[]) =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
