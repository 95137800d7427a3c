import type { PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import css from './emoji.css';

/** A selection for conversations; the keyboards of phones have the rest. */
const EMOJI =
  '😀 😃 😄 😁 😅 😂 🤣 😊 🙂 😉 😍 🥰 😘 😎 🤓 🤔 🤨 😐 😶 🙄 😏 😌 😴 😷 🤒 🤯 😕 😟 🙁 😮 😲 😳 🥺 😢 😭 😤 😠 😡 🤗 🤭 🤫 🥳 👍 👎 👌 🤞 👋 👏 🙌 🙏 🤝 💪 👀 ❤️ 🧡 💛 💚 💙 💜 🖤 💔 ✨ ⭐ 🔥 🎉 🎁 🎂 🌈 ☀️ 🌙 ☕ 🍕 🚀 🚗 🏠 📦 📅 📎 📷 📞 💡 💰 🔒 🔑 ✅ ❌ ❓ ❗ ⚠️ 💯'.split(
    ' ',
  );
const COLUMNS = 8;
const STEPS: Record<string, number> = { ArrowUp: -COLUMNS, ArrowDown: COLUMNS, ArrowLeft: -1, ArrowRight: 1 };

/** The emoji picker above the composer, for the pointer and for the arrow keys. */
export function start({ host, panel, language }: PartContext) {
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  let opener: HTMLElement | null = null;
  const buttons = EMOJI.map((text) => el('button', '', { type: 'button', tabindex: '-1' }, text));
  const node = el('div', 'emoji', { role: 'group' }, ...buttons);
  node.hidden = true;
  panel.composer.node.prepend(node);

  function close(): void {
    node.hidden = true;
    opener?.setAttribute('aria-expanded', 'false');
  }

  node.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    const { input } = panel.composer;
    input.setRangeText(target.textContent ?? '', input.selectionStart, input.selectionEnd, 'end');
    input.dispatchEvent(new Event('input'));
    close();
    panel.composer.focus();
  });
  node.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const ahead = STEPS[event.key] ?? 0;
    const step = Math.abs(ahead) === 1 && language.direction === 'rtl' ? -ahead : ahead;
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
      opener?.focus();
    } else if (step) {
      event.preventDefault();
      buttons[at + step]?.focus();
    }
  });

  return {
    toggle(from: HTMLElement): void {
      opener = from;
      node.hidden = !node.hidden;
      node.setAttribute('aria-label', from.getAttribute('aria-label') ?? '');
      from.setAttribute('aria-expanded', `${!node.hidden}`);
      if (!node.hidden) buttons[0]?.focus();
    },
  };
}
