import type { ArticleLink, ArticleNode, PublishedArticle } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import { backIcon, searchIcon } from '../chat/view/icons.ts';
import css from './articles.css';
import { showHints } from './hints.ts';
import { createReader } from './reader.ts';

/** Sends nothing that is longer, and the server takes nothing that is. */
const QUESTION_MAX_LENGTH = 200;

/**
 * Help articles over the conversation: a first screen with search, and an article with the question whether it helped. The way to the
 * conversation is always one tap. What is under the articles keeps its place, so that nobody's field and nobody's position is lost.
 */
export function start(context: PartContext) {
  const { host, language, panel, signal, storage, store, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  const reader = createReader(host, language);
  const body = el('div', 'pages');
  const ask = el('button', 'primary', { type: 'button' });
  const node = el('section', 'articles', { 'aria-label': texts.articles }, body, el('div', 'ways', {}, ask));
  const isWatching = panel.isWatching;
  /** The panel is open, and whether articles come first is settled. */
  let settled = false;
  let shown = false;
  /** Of the article on screen, for the message that follows from it. */
  let current: PublishedArticle | null = null;
  /** Answers to what was asked for before it are too late. */
  let turn = 0;

  panel.node.append(node);
  // What is covered is not read.
  panel.isWatching = () => !shown && isWatching();
  ask.addEventListener('click', leave);
  showHints(context, reader, (link) => void openArticle(link.slug));
  signal.addEventListener('abort', () => node.remove());

  function isTalking(): boolean {
    const { chat, pending } = store.state;
    return pending.length > 0 || (chat !== null && chat.status !== 'closed');
  }

  /** Whether the panel opens with articles; null: the server has not said yet whether there is a chat. */
  function comesFirst(): boolean | null {
    const { config, connection, greeting } = store.state;
    if (connection === 'starting' && storage.read('on')) return null;
    if (config.articles === 'only') return !isTalking();
    if (greeting || store.unread() || storage.read('draft')) return false;
    return config.articles === 'always' || (config.articles === 'first' && !isTalking());
  }

  function cover(covers: boolean): void {
    const header = panel.node.querySelector('header');
    node.style.top = `${header?.offsetHeight ?? 0}px`;
    shown = covers;
    panel.node.classList.toggle('reading', covers);
  }

  function leave(): void {
    if (current) store.state.article = current._id;
    cover(false);
    panel.render();
    panel.composer.focus();
  }

  function draw(...nodes: (Node | string)[]): void {
    body.replaceChildren(...nodes);
    body.scrollTop = 0;
    renderWay();
  }

  /** The way to the conversation. With articles only, there is none before somebody of the team has written. */
  function renderWay(): void {
    const isOn = isTalking();
    const words = store.unread() ? texts.newMessage : isOn ? texts.toConversation : texts.askPerson;
    if (ask.textContent !== words) ask.textContent = words;
    ask.hidden = store.state.config.articles === 'only' && !isOn;
  }

  function list(links: ArticleLink[]): HTMLElement {
    const items = links.map((link) => {
      const open = el(
        'button',
        'entry-link',
        { type: 'button' },
        el('b', '', {}, link.title),
        el('span', '', {}, link.excerpt),
      );
      open.dir = 'auto';
      open.lang = link.lang;
      open.addEventListener('click', () => openArticle(link.slug));
      return el('li', '', {}, open);
    });
    return el('ul', 'links', {}, ...items);
  }

  /** The first screen; with a question, what was found for it. */
  async function openHome(question = ''): Promise<void> {
    const own = ++turn;
    current = null;
    const input = el('input', 'entry', {
      type: 'search',
      'aria-label': texts.searchArticles,
      placeholder: texts.searchArticles,
    });
    input.maxLength = QUESTION_MAX_LENGTH;
    input.value = question;
    const form = el(
      'form',
      'search',
      { role: 'search' },
      input,
      el('button', 'tool', { 'aria-label': texts.searchArticles }, searchIcon()),
    );
    const found = el('div', '', { role: 'status' });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void openHome(input.value.trim());
    });
    const title = el('h3', '', { tabindex: '-1' }, texts.articlesTitle);
    draw(...(question ? [back()] : []), title, form, found);
    (question ? input : title).focus({ preventScroll: true });
    const links = await (question ? reader.search(question) : reader.first());
    if (own !== turn) return;
    found.replaceChildren(
      links?.length ? list(links) : el('p', '', {}, links ? question && texts.nothingFound : texts.failed),
    );
  }

  async function openArticle(slug: string): Promise<void> {
    const own = ++turn;
    const article = await reader.article(slug);
    if (own !== turn) return;
    cover(true);
    current = article;
    const title = el('h3', '', { tabindex: '-1', dir: 'auto' }, article?.title ?? texts.failed);
    const text = el(
      'div',
      'article',
      { dir: 'auto', lang: article?.lang ?? '' },
      ...(article?.nodes ?? []).map(drawNode),
    );
    draw(back(), title, text, ...(article ? [helped(article)] : []));
    title.focus({ preventScroll: true });
  }

  function back(): HTMLElement {
    const button = el('button', 'tool', { type: 'button', 'aria-label': texts.back }, backIcon());
    button.addEventListener('click', () => openHome());
    return button;
  }

  function drawNode(part: ArticleNode): Node | string {
    if (typeof part === 'string') return part;
    const [tag, attributes, ...children] = part;
    const drawn = el(tag as 'a', '', attributes, ...children.map(drawNode));
    for (const name of ['src', 'href']) {
      const address = attributes[name];
      if (address?.startsWith('/')) drawn.setAttribute(name, host.origin + address);
    }
    // Other articles open here, all else beside the page.
    const slug = /\/help\/[^/]+\/[^/]+\/([^/?#]+)$/.exec(drawn.href ?? '')?.[1];
    if (slug && drawn.href.startsWith(host.origin))
      drawn.addEventListener('click', (event) => {
        event.preventDefault();
        void openArticle(decodeURIComponent(slug));
      });
    return drawn;
  }

  function helped(article: PublishedArticle): HTMLElement {
    const answers = [true, false].map((did) => {
      const button = el('button', 'answer', { type: 'button' }, did ? texts.yes : texts.no);
      button.addEventListener('click', () => {
        void reader.tell(article, did);
        if (did) box.textContent = texts.thanks;
        else box.replaceChildren(comment(article, box));
      });
      return button;
    });
    const box = el('div', 'helped', { role: 'status' }, texts.helped, ...answers);
    return box;
  }

  function comment(article: PublishedArticle, box: HTMLElement): HTMLElement {
    const input = el('input', 'entry', {
      maxlength: '500',
      'aria-label': texts.whatMissing,
      placeholder: texts.whatMissing,
    });
    const form = el('form', 'search', {}, input, el('button', 'primary', {}, texts.save));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const words = input.value.trim();
      if (words) void reader.tell(article, false, words);
      box.textContent = texts.thanks;
    });
    return form;
  }

  return {
    /** Called at each change: settles once for each opening of the panel whether articles come first. */
    render(): void {
      const { openArticle: asked } = store.state;
      if (asked) {
        store.state.openArticle = '';
        settled = true;
        void openArticle(asked);
      }
      if (panel.node.hidden) settled = false;
      else if (!settled) {
        const first = comesFirst();
        settled = first !== null;
        cover(first === true);
        if (first) void openHome();
      }
      if (shown) renderWay();
    },
  };
}
