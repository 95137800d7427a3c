import { RATING_COMMENT_MAX_LENGTH, RATING_MAX } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { el, icon } from '../chat/dom-helpers.ts';
import { format } from '../chat/language.ts';

const STAR = 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8Z';

/** Asks once for each closed chat how it was, above the composer. */
export function createRating(context: PartContext) {
  const { panel, store, texts } = context;
  let asked = '';
  let card: HTMLElement | null = null;

  function close(): void {
    card?.remove();
    card = null;
  }

  function draw(chatId: string): HTMLFormElement {
    const stars: HTMLElement[] = [];
    // Not `Array.from`: some pages replace it by one that ignores the mapping function.
    for (let score = 1; score <= RATING_MAX; score++) stars.push(star(score));
    const comment = el('textarea', 'entry', { rows: '2', maxlength: `${RATING_COMMENT_MAX_LENGTH}`, dir: 'auto' });
    comment.setAttribute('aria-label', texts.comment);
    comment.placeholder = texts.comment;
    const rate = el('button', 'primary', {}, texts.rate);
    const later = el('button', 'link', { type: 'button' }, texts.notNow);
    const more = el('div', '', {}, comment, el('div', 'actions', {}, rate, later));
    const form = el('form', 'card', {}, el('fieldset', '', {}, el('legend', '', {}, texts.rateTitle), ...stars), more);
    more.hidden = true;
    later.addEventListener('click', close);
    form.addEventListener('change', () => {
      const score = scoreOf(form);
      stars.forEach((each, at) => {
        each.classList.toggle('lit', at < score);
      });
      more.hidden = !score;
      form.classList.toggle('whole', score > 0);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(chatId, scoreOf(form), comment.value.trim());
    });
    return form;
  }

  function star(score: number): HTMLElement {
    const name = format(texts.stars, score);
    const input = el('input', '', { type: 'radio', name: 'score', value: `${score}` });
    return el('label', 'star', { title: name }, input, icon('', STAR), el('span', 'spoken', {}, name));
  }

  async function send(chatId: string, score: number, comment: string): Promise<void> {
    const answer = await context.live?.request('rate', { chatId, score, ...(comment && { comment }) });
    if (!answer?.ok) return panel.composer.say(texts.failed);
    close();
    panel.composer.say(texts.rated);
    context.live?.changeChat(chatId, { rating: { score, comment: comment || null } });
  }

  return {
    /** Shows the question if the chat is closed and not rated, and removes it otherwise. */
    offer(): void {
      const { chat } = store.state;
      const isDue = chat?.status === 'closed' && !chat.rating;
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
