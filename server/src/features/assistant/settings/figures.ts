import type { SiteDoc } from '#features/sites';
import { DAY_MS } from '#platform/time';
import type { AssistantDay, AssistantState } from '../contract.ts';
import { utcDay } from '../model/budget.ts';
import { type AssistDayDoc, assistDays } from '../model/days.ts';
import type { Model } from '../model/model.ts';
import { assistantView } from './settings.ts';

/** The settings with what the team needs to judge them: the model, and what it has cost today. */
export async function assistantState(site: SiteDoc, model: Model | null, now: number): Promise<AssistantState> {
  const settings = assistantView(site);
  const day = utcDay(now);
  const [[figures], server] = await Promise.all([assistDays(site._id, day, day), model?.today()]);
  const limits = [settings.tokensPerDay || null, server?.max ?? null].filter((limit) => limit !== null);
  return {
    ...settings,
    model: model?.name ?? null,
    today: {
      tokens: figures?.tokens ?? 0,
      limit: limits.length > 0 ? Math.min(...limits) : null,
      isServerSpent: server !== undefined && server.max !== null && server.spent >= server.max,
    },
  };
}

/** What the assistant of a site did on each of the last days, oldest first. */
export async function daysOf(site: SiteDoc, days: number, now: number): Promise<AssistantDay[]> {
  const names = Array.from({ length: days }, (_, ago) => utcDay(now - ago * DAY_MS)).reverse();
  const found = await assistDays(site._id, names[0] ?? '', names.at(-1) ?? '');
  const known = new Map(found.map((each) => [each.day, each]));
  return names.map((day) => dayView(day, known.get(day)));
}

function dayView(day: string, figures: Partial<AssistDayDoc> = {}): AssistantDay {
  const { answered = 0, helped = 0, notHelped = 0, handedOver = {}, accepted = 0, tokens = 0 } = figures;
  return { day, answered, helped, notHelped, handedOver, accepted, tokens };
}
