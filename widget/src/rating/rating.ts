import { RATING_COMMENT_MAX_LENGTH, RATING_MAX } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { addStyles, el, icon, useDomHelpers } from '../chat/dom-helpers.ts';
import { format } from '../chat/language.ts';
import cardCss from '../menu/card.css';
import css from './rating.css';

const STAR = 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8Z';

/** Asks once for each closed chat how it was, above the composer. A star alone rates; it can be changed, and a comment added. */
export function start(context: PartContext) {
  const { host, language, panel, store, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, cardCss + css);
  let asked = '';
  /** The chat that was rated here: its card stays for a comment. */
  let rated = '';
  let card: HTMLElement | null = null;
  /** The requests follow one another, so that the last star counts. */
  let sending: Promise<unknown> = Promise.resolve();

  function close(): void {
    card?.remove();
    card = null;
  }

  function draw(chatId: string): HTMLFormElement {
    const stars: HTMLElement[] = [];
    // Not `Array.from`: some pages replace it by one that ignores the mapping function.
    for (let score = 1; score <= RATING_MAX; score++) stars.push(star(score));
    const comment = el('textarea', 'entry', { rows: '2', maxlength: `${RATING_COMMENT_MAX_LENGTH}` });
    comment.setAttribute('aria-label', texts.comment);
    comment.placeholder = texts.comment;
    const rate = el('button', 'primary', {}, texts.rate);
    const later = el('button', 'link', { type: 'button' }, texts.notNow);
    const more = el('div', '', {}, comment, el('div', 'actions', {}, rate, later));
    const fieldset = el('fieldset', '', {}, el('legend', '', {}, texts.rateTitle), ...stars);
    const outcome = el('p', '', { role: 'status' });
    const form = el('form', 'card', {}, fieldset, outcome, more);
    more.hidden = true;
    later.addEventListener('click', close);
    // Empty, it follows the language of its placeholder.
    comment.addEventListener('input', () => {
      comment.dir = comment.value && 'auto';
    });
    fieldset.addEventListener('change', async () => {
      const score = scoreOf(form);
      stars.forEach((each, at) => {
        each.classList.toggle('lit', at < score);
      });
      more.hidden = false;
      form.classList.add('whole');
      say(await send(chatId, score, ''));
    });
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const isStored = await send(chatId, scoreOf(form), comment.value.trim());
      say(isStored);
      if (!isStored) return;
      close();
      panel.composer.say(texts.rated);
    });

    function say(isStored: boolean): void {
      outcome.className = isStored ? '' : 'fault';
      outcome.textContent = isStored ? texts.rated : texts.failed;
    }
    return form;
  }

  function star(score: number): HTMLElement {
    const most = RATING_MAX.toLocaleString(language.locale);
    const name = format(texts.stars.replace('{max}', most), score, language.locale);
    const input = el('input', '', { type: 'radio', name: 'score', value: `${score}` });
    return el('label', 'star', { title: name }, input, icon('', STAR), el('span', 'spoken', {}, name));
  }

  /** @returns whether it is stored */
  function send(chatId: string, score: number, comment: string): Promise<boolean> {
    const turn = sending.then(async () => {
      const answer = await context.live?.request('rate', { chatId, score, ...(comment && { comment }) });
      if (!answer?.ok) return false;
      rated = chatId;
      context.live?.changeChat(chatId, { rating: { score, comment: comment || null } });
      return true;
    });
    sending = turn;
    return turn;
  }

  return {
    /** Shows the question if the chat is closed and not rated, and removes it otherwise. */
    offer(): void {
      const { chat } = store.state;
      const isDue = chat?.status === 'closed' && (!chat.rating || chat._id === rated);
      if (!isDue) close();
      if (!isDue || asked === chat._id) return;
      asked = chat._id;
      card = draw(chat._id);
      panel.composer.node.before(card);
    },
  };
}

function scoreOf(form: HTMLFormElement): number {
  return Number(new FormData(form).get('score') ?? 0);
}
