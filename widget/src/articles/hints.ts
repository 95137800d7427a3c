import type { ArticleLink } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { el } from '../chat/dom-helpers.ts';
import type { Reader } from './reader.ts';

/** Debounce: the pause in typing before articles are asked for. */
const PAUSE_MS = 400;
/** So many words are a question; in scripts without blanks, so many characters. */
const WORDS_MIN = 3;
const CHARACTERS_MIN = 12;
const QUESTION_MAX_LENGTH = 200;

/** Shows up to three articles above the field while the first message of a chat is typed. Nothing waits for them. */
export function showHints(
  { panel, signal, store, texts }: PartContext,
  reader: Reader,
  choice: (link: ArticleLink) => HTMLElement,
): void {
  const { input, node } = panel.composer;
  const hints = el('nav', 'hints', { 'aria-label': texts.articles });
  let pause: ReturnType<typeof setTimeout> | undefined;
  hints.hidden = true;
  node.before(hints);

  function isFirst(): boolean {
    const { chat, config } = store.state;
    return config.articles !== 'off' && (!chat || chat.status === 'closed');
  }

  const isQuestion = (words: string) => words.split(/\s+/).length >= WORDS_MIN || words.length >= CHARACTERS_MIN;

  async function look(): Promise<void> {
    const words = input.value.trim().slice(0, QUESTION_MAX_LENGTH);
    const links = isFirst() && isQuestion(words) ? await reader.hints(words) : [];
    // The visitor has gone on typing, or has sent it.
    if (input.value.trim().slice(0, QUESTION_MAX_LENGTH) !== words) return;
    hints.replaceChildren(...(links ?? []).map((link) => choice(link)));
    hints.hidden = !links?.length;
  }

  // A sent text empties the field without an event.
  node.addEventListener('submit', () => {
    hints.hidden = true;
  });
  input.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(look, PAUSE_MS);
  });
  signal.addEventListener('abort', () => clearTimeout(pause));
}
