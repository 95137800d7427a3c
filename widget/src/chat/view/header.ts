import type { BaseContext } from '../context.ts';
import { el, mark } from '../dom-helpers.ts';
import { format, texts } from '../language.ts';
import { closeIcon, menuIcon } from './icons.ts';

const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** The panel's header: the agent or the site, the status of team and connection, menu and close buttons. */
export function createHeader({ host, store, language }: BaseContext) {
  const face = el('div', 'face', { 'aria-hidden': 'true' });
  const title = el('h2', 'title');
  const status = el('p', 'status');
  const menu = el('button', 'tool', { 'aria-label': texts.menu, 'aria-haspopup': 'menu' }, menuIcon());
  const shut = el('button', 'tool', { 'aria-label': texts.closeChat }, closeIcon());
  const header = el('header', '', {}, face, el('div', 'names', {}, title, status), menu, shut);
  const offline = el('p', 'offline');
  const lost = el('div', 'lost', {}, texts.reconnecting);
  const bars = el('div', '', { role: 'status' }, lost, offline);
  let shown = '';
  shut.addEventListener('click', host.close);

  function statusText(agent: string | undefined): string {
    const { online, usualReplyMinutes: usual } = store.state.config;
    if (agent) return format(texts.talkingWith, agent);
    if (!online) return texts.offline;
    return usual === null ? texts.online : format(texts.usually, duration(usual, language.locale));
  }

  return {
    nodes: [header, bars],
    menu,
    render(): void {
      const { config, chat, connection } = store.state;
      const { navbarTitle, offlineMessage } = config.customization;
      const agent = chat?.status === 'closed' ? null : chat?.agent;
      title.textContent = navbarTitle;
      status.textContent = statusText(agent?.name);
      status.classList.toggle('on', config.online);
      const signature = JSON.stringify([agent, config.logo]);
      if (signature !== shown) {
        if (agent) showFace(face, host.origin, agent.avatar, initials(agent.name));
        else showFace(face, host.origin, config.logo, mark());
      }
      shown = signature;
      const notice = config.online ? '' : offlineMessage;
      // Setting the same text again makes screen readers read it again.
      if (offline.textContent !== notice) offline.textContent = notice;
      lost.hidden = connection !== 'lost';
    },
  };
}

/** Shows a picture, or `instead` where there is none or it cannot be loaded. */
export function showFace(face: HTMLElement, origin: string, picture: string | null, instead: Node | string): void {
  face.replaceChildren(instead);
  if (!picture) return;
  const image = el('img', '', { src: origin + picture, alt: '' });
  image.addEventListener('error', () => image.replaceWith(instead));
  face.replaceChildren(image);
}

/** The first letters of the first and the last word, as the dashboard draws them. */
export function initials(name: string): string {
  const letters = name.split(' ').map(([...signs]) => signs[0] ?? '');
  return (letters.shift() + (letters.pop() ?? '')).toUpperCase();
}

/** A number of minutes in words, in the largest unit that fits. */
function duration(minutes: number, locale: string): string {
  const [unit, size] =
    minutes < HOUR_MIN
      ? (['minute', 1] as const)
      : minutes < DAY_MIN
        ? (['hour', HOUR_MIN] as const)
        : (['day', DAY_MIN] as const);
  return Math.max(1, Math.round(minutes / size)).toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' });
}
