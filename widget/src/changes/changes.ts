import type { Message } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import { createPopup } from '../menu/popup.ts';
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
  const editor = createEditor(context, explain);
  const box = el('div', 'choices', { tabindex: '-1' });
  const popup = createPopup(panel.node, box, () => box.remove());

  /** Shows the box below the message of the button, or above it where there is no room. */
  function show(from: HTMLElement, role: string, label: string, ...content: HTMLElement[]): void {
    const thread = from.closest('.thread');
    const message = from.parentElement;
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

  function choose(from: HTMLElement, message: Message): void {
    const startEdit = () => {
      popup.close();
      editor.edit(message);
    };
    const items = [
      ...(message.file ? [] : [button('', texts.edit, startEdit, 'menuitem')]),
      button('delete', texts.remove, () => ask(from, message), 'menuitem'),
    ];
    show(from, 'menu', from.getAttribute('aria-label') ?? '', ...items);
    items[0]?.focus();
  }

  function ask(from: HTMLElement, message: Message): void {
    const fault = el('p', 'fault', { role: 'alert' });
    const confirm = button('delete', texts.remove, async () => {
      fault.textContent = '';
      const { chatId, _id: messageId } = message;
      const answer = await context.live?.request('delete_message', { chatId, messageId });
      if (!answer?.ok) fault.textContent = explain(answer);
      else if (box.contains(confirm)) {
        const isHere = box.contains(host.root.activeElement);
        popup.close();
        if (isHere) panel.composer.focus();
      }
    });
    const cancel = button('', texts.cancel, popup.leave);
    show(from, 'alertdialog', texts.deleteAsk, el('p', '', {}, texts.deleteAsk), fault, confirm, cancel);
    box.focus();
  }

  return {
    render: editor.resume,
    toggle(from: HTMLElement, clientId: string): void {
      const message = store.state.messages.find((each) => each.clientId === clientId);
      if (message) popup.toggle(from, () => choose(from, message));
    },
  };
}
