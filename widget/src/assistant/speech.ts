import type { PartContext } from '../chat/context.ts';

/** Screen readers read what has changed some time afterwards. */
const READ_MS = 1_000;

export type Speech = ReturnType<typeof createSpeech>;

/**
 * Reads the conversation to screen readers while the assistant answers: each sentence once, as soon as it is there. The list of
 * messages, which is read otherwise, is silent meanwhile: it would repeat the answer when it is stored.
 */
export function createSpeech({ host, panel, signal }: PartContext, list: HTMLElement) {
  const { el } = host.dom;
  const region = el('div', 'spoken', { 'aria-live': 'polite' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  panel.node.append(region);
  signal.addEventListener('abort', () => clearTimeout(timer));

  function say(words: string): void {
    if (words.trim() && !panel.node.hidden) region.append(el('p', '', {}, words));
  }

  return {
    say,
    /** Whether it reads, in place of the list. */
    isOn: () => list.hasAttribute('aria-live'),
    turn(on: boolean): void {
      clearTimeout(timer);
      if (on) list.setAttribute('aria-live', 'off');
      else timer = setTimeout(() => list.removeAttribute('aria-live'), READ_MS);
    },
  };
}
