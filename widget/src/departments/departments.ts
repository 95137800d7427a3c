import type { WidgetConfig, WidgetDepartment } from 'server/contract';
import type { ChatContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import type { PartTexts } from '../languages/en.ts';
import { backText } from '../opening/opening.ts';
import css from './departments.css';

/**
 * Lets the visitor choose, before a chat begins, which department it is for. The choice goes with the first message, and the panel
 * says of that department whether somebody is there, and asks for an address if not.
 * @returns draws it: call it after every change
 */
export function start({ host, panel, store, language }: ChatContext, texts: PartTexts): () => void {
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  const choices = el('div', 'choices');
  const title = el('p', '', { id: 'departments-title' }, texts.department);
  const node = el('div', 'departments', { role: 'radiogroup', 'aria-labelledby': 'departments-title' }, title, choices);
  let drawn = '';
  /** Stays when the message is sent, until there is a choice again. */
  let chosen: string | undefined;
  /** What the server says of the site, and what is shown instead. */
  let site: WidgetConfig | undefined;
  let shown: WidgetConfig | undefined;

  function showAvailability(): void {
    const { chat, config } = store.state;
    if (config !== shown) site = config;
    // Whoever answers may be of another department.
    const department = chat?.status === 'active' ? undefined : config.departments?.find(({ _id }) => _id === chosen);
    const { online, opensAt } = department ?? site ?? config;
    if (config.online === online && config.opensAt === opensAt) return;
    shown = { ...config, online, opensAt };
    store.set({ config: shown });
  }

  function choice({ _id, name, online, opensAt = '' }: WidgetDepartment): HTMLElement {
    const input = el('input', '', { type: 'radio', name: 'department', value: _id });
    input.checked = chosen === _id;
    // A second click takes the choice back.
    input.addEventListener('click', () => {
      const { department: _, ...others } = store.state.begins ?? {};
      input.checked = chosen !== _id;
      chosen = input.checked ? _id : undefined;
      store.set({ begins: chosen ? { ...others, department: chosen } : others });
    });
    const at = new Date(opensAt);
    const now = new Date();
    const opens = !online && at > now ? [el('small', '', {}, backText(at, now, texts, language.locale))] : [];
    return el('label', '', {}, input, el('span', '', { dir: 'auto' }, name), ...opens);
  }

  return () => {
    const { chat, config, pending, blocked, taps } = store.state;
    const goesOn = taps || pending.length > 0 || blocked || (chat && chat.status !== 'closed');
    const departments = (!goesOn && config.departments) || [];
    const now = JSON.stringify(departments);
    if (now !== drawn) {
      if (departments.length) chosen = store.state.begins?.department;
      // Somebody may be choosing with the keyboard while a department opens or closes.
      const focused = choices.querySelector<HTMLInputElement>(':focus')?.value;
      choices.replaceChildren(...departments.map(choice));
      if (focused) choices.querySelector<HTMLInputElement>(`[value="${focused}"]`)?.focus();
    }
    drawn = now;
    node.hidden = !departments.length;
    if (!node.isConnected) panel.composer.node.before(node);
    showAvailability();
  };
}
