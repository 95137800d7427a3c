import type { ChatContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import { format } from '../chat/language.ts';
import type { PartTexts } from '../languages/en.ts';
import css from './opening.css';

/** How often it looks whether it is another day, or the time to open has come. */
const LOOK_EVERY_MS = 30_000;
/** From the same weekday of the next week on, the date is needed. */
const WEEK_DAYS = 7;

/**
 * Says below the offline message when the team is back, by the clock and the calendar of the visitor.
 * @returns draws it: call it after every change
 */
export function start({ host, panel, store, language, signal }: ChatContext, texts: PartTexts): () => void {
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  const node = el('p', 'offline opening');
  panel.node.querySelector('.offline')?.after(node);
  const timer = setInterval(render, LOOK_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));

  function render(): void {
    const { online, opensAt = 0 } = store.state.config;
    const at = new Date(opensAt);
    const now = new Date();
    const text = online || at <= now ? '' : backText(at, now, texts, language.locale);
    // Setting the same text again makes screen readers read it again.
    if (node.textContent !== text) node.textContent = text;
  }
  return render;
}

/** 'Back tomorrow at 9:00' */
export function backText(at: Date, now: Date, texts: PartTexts, locale: string): string {
  const time = at.toLocaleTimeString(locale, { timeStyle: 'short' });
  // As dates of UTC, because a day on which the clocks change has no 24 hours.
  const [then, today] = [at, now].map((day) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate())) as [
    number,
    number,
  ];
  const days = (then - today) / 86_400_000;
  if (days < 2) return format(days < 1 ? texts.backToday : texts.backTomorrow, time);
  const date = days < WEEK_DAYS ? {} : ({ day: 'numeric', month: 'long' } as const);
  const day = at.toLocaleDateString(locale, { weekday: 'long', ...date });
  return format(texts.backOn.replace('{day}', day), time);
}
