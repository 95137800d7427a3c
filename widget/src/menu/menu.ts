import type { PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import { textsSent } from '../chat/outbox.ts';
import { isAnswer } from '../chat/state.ts';
import cardCss from './card.css';
import css from './menu.css';
import { createPopup } from './popup.ts';
import { createTranscript } from './transcript.ts';

/** How long the end of a chat waits for texts that were written before. */
const END_WAIT_MAX_MS = 5_000;

/** The menu: sound, transcript by mail, end the chat, delete my data. */
export function start(context: PartContext) {
  const { host, panel, store, storage, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, cardCss + css);
  const transcript = createTranscript(context);
  const node = el('div', 'menu', { role: 'menu' });
  const popup = createPopup(panel.node, node, () => {
    node.hidden = true;
  });
  let askErasure: (() => void) | null = null;
  node.hidden = true;
  panel.node.append(node);

  function item(label: string, run: () => void): HTMLElement {
    const button = el('button', '', { role: 'menuitem', tabindex: '-1' }, label);
    button.addEventListener('click', () => {
      popup.leave();
      run();
    });
    return button;
  }

  function items(): HTMLElement[] {
    const { chat, config, messages } = store.state;
    const answered = messages.some((message) => message.chatId === chat?._id && isAnswer(message));
    const muted = storage.read('mute') !== '';
    const list = [
      item(muted ? texts.soundOn : texts.soundOff, () => storage.write('mute', muted ? '' : '1')),
      ...(chat && answered && config.mail ? [item(texts.transcript, () => transcript.open(chat._id))] : []),
      ...(chat && chat.status !== 'closed' ? [item(texts.end, () => end(chat._id))] : []),
      // Without a token the server has no data of the visitor.
      ...(storage.read('token') ? [item(texts.erase, erase)] : []),
    ];
    if (config.privacyUrl) {
      const attributes = { role: 'menuitem', tabindex: '-1', target: '_blank', rel: 'noopener' };
      list.push(el('a', '', { ...attributes, href: config.privacyUrl }, texts.privacy));
    }
    return list;
  }

  async function end(chatId: string): Promise<void> {
    const late = Date.now() + END_WAIT_MAX_MS;
    // A text that arrived after the end would begin the next conversation.
    await textsSent(storage, Number.POSITIVE_INFINITY, () => Date.now() > late);
    const answer = await context.live?.request('close_chat', { chatId });
    panel.composer.say(answer?.ok ? '' : texts.failed);
  }

  async function erase(): Promise<void> {
    try {
      askErasure ??= (await context.loadPart('erasure')).start(context);
      askErasure();
    } catch {
      panel.composer.say(texts.failed);
    }
  }

  return {
    toggle: (from: HTMLElement) =>
      popup.toggle(from, () => {
        node.replaceChildren(...items());
        node.hidden = false;
        node.querySelector('button')?.focus();
      }),
  };
}
