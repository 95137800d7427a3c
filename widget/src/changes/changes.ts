import type { Message } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import css from './changes.css';
import { createEditor, type Explain } from './editor.ts';

/** Between the menu and the edges of the conversation, in pixels. */
const MARGIN_PX = 4;

/** Lets visitors correct or delete their own messages: a menu beside the message, an editor in place of the composer. */
export function start(context: PartContext) {
  const { host, language, panel, store, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  const explain: Explain = (answer) =>
    answer?.code === 'TOO_LATE' ? texts.tooLate : (language.name === 'en' && answer?.message) || texts.failed;
  const edit = createEditor(context, explain);
  const box = el('div', 'choices', { tabindex: '-1' });
  let opener: HTMLElement | null = null;

  function close(): void {
    box.remove();
    opener?.setAttribute('aria-expanded', 'false');
    opener = null;
  }

  function leave(): void {
    const from = opener;
    close();
    from?.focus();
  }

  /** Shows the box below the message, or above it where there is no room. */
  function show(role: string, label: string, ...content: HTMLElement[]): void {
    const thread = opener?.closest('.thread');
    const message = opener?.parentElement;
    if (!thread || !message) return;
    box.setAttribute('role', role);
    box.setAttribute('aria-label', label);
    box.replaceChildren(...content);
    thread.append(box);
    const room = thread.getBoundingClientRect();
    const { top, bottom } = message.getBoundingClientRect();
    const below = bottom - room.top + MARGIN_PX;
    const fits = below + box.offsetHeight + MARGIN_PX <= room.height;
    box.style.top = `${fits ? below : Math.max(MARGIN_PX, top - room.top - box.offsetHeight - MARGIN_PX)}px`;
  }

  function button(className: string, label: string, run: () => void, role = 'button'): HTMLElement {
    const node = el('button', className, { role }, label);
    node.addEventListener('click', run);
    return node;
  }

  function choose(message: Message, label: string): void {
    const startEdit = () => {
      close();
      edit(message);
    };
    const items = [
      ...(message.file ? [] : [button('', texts.edit, startEdit, 'menuitem')]),
      button('delete', texts.remove, () => ask(message), 'menuitem'),
    ];
    show('menu', label, ...items);
    items[0]?.focus();
  }

  function ask(message: Message): void {
    const fault = el('p', 'fault', { role: 'alert' });
    const confirm = button('delete', texts.remove, async () => {
      fault.textContent = '';
      const { chatId, _id: messageId } = message;
      const answer = await context.live?.request('delete_message', { chatId, messageId });
      if (!answer?.ok) fault.textContent = explain(answer);
      else if (box.contains(confirm)) {
        close();
        panel.composer.focus();
      }
    });
    show(
      'alertdialog',
      texts.deleteAsk,
      el('p', '', {}, texts.deleteAsk),
      fault,
      confirm,
      button('', texts.cancel, leave),
    );
    box.focus();
  }

  box.addEventListener('keydown', (event) => {
    const items = [...box.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    } else if (items.length && event.key === 'Tab') leave();
    else if (items.length && step) {
      event.preventDefault();
      const at = items.indexOf(event.target as HTMLElement);
      items[(at + step + items.length) % items.length]?.focus();
    }
  });
  // A click anywhere else closes it.
  panel.node.addEventListener('click', (event) => {
    const path = event.composedPath();
    if (opener && !path.includes(box) && !path.includes(opener)) close();
  });

  return {
    toggle(from: HTMLElement, clientId: string): void {
      const wasOpen = opener === from;
      close();
      const message = store.state.messages.find((each) => each.clientId === clientId);
      if (wasOpen || !message) return;
      opener = from;
      from.setAttribute('aria-expanded', 'true');
      choose(message, from.getAttribute('aria-label') ?? '');
    },
  };
}
