import { TYPING_TEXT_EVERY_MS, TYPING_TEXT_MAX_LENGTH } from 'server/contract';
import type { ChatContext } from '../chat/context.ts';
import type { PartTexts } from '../languages/en.ts';

/**
 * Shows the team what the visitor is typing, where the site wants it, and says so below the field. Nothing is shown to them without that.
 * @returns shows or removes the notice: call it after every change
 */
export function start({ host, panel, store, storage, signal, live }: ChatContext, { seen }: PartTexts): () => void {
  const notice = host.dom.el('p', 'note');
  notice.style.paddingTop = '6px';
  notice.textContent = seen;
  let typedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    notice.remove();
  });

  if (live) {
    const reportPlainly = live.reportTyping;
    live.reportTyping = function report(text) {
      clearTimeout(timer);
      // Where polling stands in for the socket, the team only sees that somebody types.
      if (!notice.isConnected || storage.read('poll')) return reportPlainly(text);
      const wait = text ? typedAt + TYPING_TEXT_EVERY_MS - Date.now() : 0;
      // What was sent by then is in the field no more.
      if (wait > 0) timer = setTimeout(() => report(panel.composer.input.value), wait);
      else if (text || typedAt) {
        typedAt = text ? Date.now() : 0;
        // The last character may be half of a surrogate pair.
        const shown = text.slice(0, TYPING_TEXT_MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
        void live.request('typing', { isTyping: text !== '', text: shown });
      }
    };
  }

  return function render(): void {
    const isOn = store.state.config.typingPreview && !signal.aborted;
    if (!isOn) notice.remove();
    else if (!notice.isConnected) panel.composer.node.append(notice);
  };
}
