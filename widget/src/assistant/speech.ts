import type { PartContext } from '../chat/context.ts';

/** Screen readers read what has changed some time afterwards. */
const READ_MS = 1_000;

export type Speech = ReturnType<typeof createSpeech>;

/**
 * Reads the conversation to screen readers while the assistant answers: each sentence once, as soon as it is there. The list of
 * messages, which is read otherwise, is silent meanwhile: it would repeat the answer when it is stored.
 */
export function createSpeech({ host, panel }: PartContext, list: HTMLElement) {
  const { el } = host.dom;
  const region = el('div', 'spoken', { 'aria-live': 'polite' });
  let isOn = false;
  panel.node.append(region);

  return {
    turn(on: boolean): void {
      isOn = on;
      if (on) list.setAttribute('aria-live', 'off');
      else setTimeout(() => isOn || list.removeAttribute('aria-live'), READ_MS);
    },
    say(words: string): void {
      if (words && list.hasAttribute('aria-live') && !panel.node.hidden) region.append(el('p', '', {}, words));
    },
  };
}
