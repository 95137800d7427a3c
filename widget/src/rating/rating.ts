import { RATING_COMMENT_MAX_LENGTH, RATING_MAX, type VisitorChat } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { addStyles, el, icon, useDomHelpers } from '../chat/dom-helpers.ts';
import { bindDraft } from '../chat/draft.ts';
import { format } from '../chat/language.ts';
import cardCss from '../menu/card.css';
import css from './rating.css';

const STAR = 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8Z';

/** Asks once for each closed chat how it was, above the composer. A star alone rates; it can be changed, and a comment added. */
export function start(context: PartContext) {
  const { host, language, panel, storage, store, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, cardCss + css);
  let asked = '';
  /** The chat that was rated here: its card stays for a comment. */
  let rated = '';
  let card: HTMLElement | null = null;
  /** The requests follow one another, so that the last star counts. */
  let sending: Promise<unknown> = Promise.resolve();

  const keyOf = (chatId: string) => `draft:rating:${chatId}` as const;

  function close(): void {
    // Before the card goes, so that a phone keeps its keyboard.
    if (card?.contains(host.root.activeElement)) panel.composer.focus();
    card?.remove();
    card = null;
  }

  /** The question is answered, or not wanted. */
  function end(): void {
    storage.write(keyOf(asked), '');
    close();
  }

  function draw({ _id: chatId, rating: given }: VisitorChat): HTMLFormElement {
    const stars: HTMLElement[] = [];
    // Not `Array.from`: some pages replace it by one that ignores the mapping function.
    for (let score = 1; score <= RATING_MAX; score++) stars.push(star(score, score === given?.score));
    const comment = el('textarea', 'entry', { rows: '2', maxlength: `${RATING_COMMENT_MAX_LENGTH}` });
    comment.setAttribute('aria-label', texts.comment);
    comment.placeholder = texts.comment;
    const rate = el('button', 'primary', {}, texts.rate);
    const later = el('button', 'link', { type: 'button' }, texts.notNow);
    const more = el('div', '', {}, comment, el('div', 'actions', {}, rate, later));
    const fieldset = el('fieldset', '', {}, el('legend', '', {}, texts.rateTitle), ...stars);
    const outcome = el('p', '', { role: 'status' });
    const form = el('form', 'card', {}, fieldset, outcome, more);
    later.addEventListener('click', end);
    bindDraft(context, keyOf(chatId), comment, () => {
      // Empty, it follows the language of its placeholder.
      comment.dir = comment.value && 'auto';
    });
    more.hidden = !given;
    if (given) light(given.score);
    fieldset.addEventListener('change', async () => {
      const score = scoreOf(form);
      light(score);
      more.hidden = false;
      form.classList.add('whole');
      say(await send(chatId, score, ''));
    });
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      comment.readOnly = true;
      const isStored = await send(chatId, scoreOf(form), comment.value.trim());
      comment.readOnly = false;
      say(isStored);
      if (!isStored) return;
      end();
      panel.composer.say(texts.rated);
    });

    function light(score: number): void {
      stars.forEach((each, at) => {
        each.classList.toggle('lit', at < score);
      });
    }

    function say(isStored: boolean): void {
      outcome.className = isStored ? '' : 'fault';
      outcome.textContent = isStored ? texts.rated : texts.failed;
    }
    return form;
  }

  function star(score: number, isGiven: boolean): HTMLElement {
    const most = RATING_MAX.toLocaleString(language.locale);
    const name = format(texts.stars.replace('{max}', most), score, language.locale);
    const input = el('input', '', { type: 'radio', name: 'score', value: `${score}` });
    input.checked = isGiven;
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
    render(): void {
      const { chat } = store.state;
      const isRated = chat?.rating && chat._id !== rated && !storage.read(keyOf(chat._id));
      const isDue = chat?.status === 'closed' && !isRated;
      // What the visitor is in stays, until it is sent or left.
      const isInUse = card?.contains(host.root.activeElement) || storage.read(keyOf(asked));
      if (isInUse && card) return;
      if (!isDue) close();
      if (!isDue || asked === chat._id) return;
      close();
      asked = chat._id;
      card = draw(chat);
      panel.composer.node.before(card);
    },
  };
}

function scoreOf(form: HTMLFormElement): number {
  return Number(new FormData(form).get('score') ?? 0);
}
