import type { SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import type { ModelNotice } from '../contract.ts';
import { assistantOf } from '../settings/settings.ts';
import { type BudgetUse, budgetSpent, createBudget, type Reservation, WARNED_AT_PERCENT } from './budget.ts';
import {
  createModelClient,
  estimateTokens,
  type ModelAnswer,
  type ModelAsk,
  type ModelMessage,
  type ModelSettings,
  type ModelStreamAsk,
} from './client.ts';
import { countAssist, reserveOfSite } from './days.ts';
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

/** Whose tokens a call uses. */
export type Payer = Pick<SiteDoc, '_id' | 'assistant'>;

/** The operator's model, within the budget of the day: every call of the product goes through it. */
export interface Model {
  /** Its name, and the host that has it. */
  readonly name: string;
  readonly host: string;
  /**
   * Answers with one text.
   * @param site whose tokens these are; null: they are the operator's own
   * @throws ModelError, AppError `BUDGET_SPENT`
   */
  complete(site: Payer | null, messages: ModelMessage[], ask: ModelAsk): Promise<ModelAnswer>;
  /** Answers piece by piece; otherwise as `complete`. */
  stream(site: Payer | null, messages: ModelMessage[], ask: ModelStreamAsk): Promise<ModelAnswer>;
  today(): Promise<BudgetUse>;
  /** null: there are plenty of tokens left today. */
  notice(): Promise<ModelNotice | null>;
}

/** Makes the operator's model. */
export function createModel({ tokensPerDay, ...settings }: ModelOptions, now: () => number): Model {
  const client = createModelClient({ ...settings, now });
  const budget = createBudget(tokensPerDay, now);

  async function within(
    site: Payer | null,
    messages: ModelMessage[],
    ask: ModelAsk & Partial<ModelStreamAsk>,
  ): Promise<ModelAnswer> {
    const reservation = await reserve(site, mostTokens(messages) + ask.maxTokens);
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
      await settle(site, reservation, answer.usage.prompt + answer.usage.completion);
      return answer;
    } catch (error) {
      const isFree = error instanceof ModelError && FREE.includes(error.kind);
      await settle(site, reservation, isFree ? 0 : fewestTokens(messages) + estimateTokens(said));
      throw error;
    }
  }

  async function reserve(site: Payer | null, tokens: number): Promise<Reservation> {
    const reservation = await budget.reserve(tokens);
    const max = site && assistantOf(site).tokensPerDay;
    if (!site || !max || (await reserveOfSite(site._id, tokens, max, reservation.day))) return reservation;
    await budget.settle(reservation, 0);
    throw budgetSpent(now());
  }

  /** An answer is not lost because its tokens could not be counted; what was reserved stays spent then. */
  async function settle(site: Payer | null, reservation: Reservation, used: number): Promise<void> {
    try {
      await budget.settle(reservation, used);
      if (!site) return;
      const reserved = assistantOf(site).tokensPerDay ? reservation.tokens : 0;
      await countAssist(site._id, { tokens: used - reserved }, Date.parse(reservation.day));
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
    async notice() {
      const { spent, max } = await budget.today();
      const percent = max === null ? 0 : Math.min(100, Math.floor((spent / Math.max(max, 1)) * 100));
      return percent >= WARNED_AT_PERCENT ? { about: 'model', percent } : null;
    },
  };
}

const mostTokens = (messages: ModelMessage[]) =>
  messages.reduce(
    (sum, { content }) => sum + TOKENS_PER_MESSAGE + Math.ceil(Buffer.byteLength(content) / BYTES_PER_TOKEN_MIN),
    0,
  );

const fewestTokens = (messages: ModelMessage[]) =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
