import type { ArticleLink, ArticleNode, PublishedArticle } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import { backIcon, searchIcon, sendIcon } from '../chat/view/icons.ts';
import css from './articles.css';
import { showHints } from './hints.ts';
import { createReader } from './reader.ts';

/** The maximum length of a question, and of a comment. */
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
  const ask = action('', {}, leave);
  const node = el('section', 'articles', { 'aria-label': texts.articles }, body, el('div', 'ways', {}, ask));
  const isWatching = panel.isWatching;
  /** The panel is open, and whether articles come first is settled. */
  let settled = false;
  let shown = false;
  /** The article on screen; a message sent next names it. */
  let current: PublishedArticle | null = null;
  /** The number of the newest request; answers to earlier ones are dropped. */
  let turn = 0;

  panel.node.append(node);
  // Messages that are covered do not count as read.
  panel.isWatching = () => !shown && isWatching();
  showHints(context, reader, choice);
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
    shown = covers;
    panel.node.classList.toggle('reading', covers);
  }

  function leave(): void {
    if (current) store.state.begins = { ...store.state.begins, article: current._id };
    cover(false);
    panel.render();
    // From now on, messages count as read again.
    context.live?.report();
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
    // Where the assistant answers first, it promises no person.
    const begin = store.state.config.assistant ? panel.composer.input.placeholder : texts.askPerson;
    const words = store.unread() ? texts.newMessage : isOn ? texts.toConversation : begin;
    if (ask.textContent !== words) ask.textContent = words;
    // What else stands in the header may have come or gone.
    node.style.top = `${panel.node.querySelector('header')?.offsetHeight ?? 0}px`;
    ask.hidden = store.state.config.articles === 'only' && !isOn;
  }

  function action(
    className: string,
    attributes: Record<string, string>,
    run: () => void,
    ...content: (Node | string)[]
  ) {
    const button = el('button', className, { type: 'button', ...attributes }, ...content);
    button.onclick = run;
    return button;
  }

  function field(label: string, icon: Node, value: string, send: (words: string) => void): HTMLFormElement {
    const input = el('input', '', {
      'aria-label': label,
      placeholder: label,
      maxlength: `${QUESTION_MAX_LENGTH}`,
      dir: 'auto',
    });
    input.value = value;
    const form = el('form', 'field', {}, input, el('button', 'tool', { 'aria-label': label }, icon));
    form.onsubmit = (event) => {
      event.preventDefault();
      send(input.value.trim());
    };
    return form;
  }

  /** A button that opens an article. */
  function choice({ slug, lang, title }: ArticleLink, ...more: Node[]): HTMLElement {
    return action('choice', { lang, dir: 'auto' }, () => openArticle(slug), el('b', '', {}, title), ...more);
  }

  /** The first screen; with a question, what was found for it. */
  async function openHome(question = ''): Promise<void> {
    const own = ++turn;
    current = null;
    const found = el('div', 'found', { role: 'status' });
    const title = el('h3', '', { tabindex: '-1' }, texts.articlesTitle);
    draw(...(question ? [back()] : []), title, field(texts.searchArticles, searchIcon(), question, openHome), found);
    title.focus({ preventScroll: true });
    const links = await (question ? reader.search(question) : reader.first());
    if (own !== turn) return;
    const items = (links ?? []).map((link) => choice(link, el('span', '', {}, link.excerpt)));
    const nothing = links ? question && texts.nothingFound : texts.failed;
    found.replaceChildren(...(items.length ? items : [nothing]));
  }

  async function openArticle(slug: string): Promise<void> {
    const own = ++turn;
    const article = await reader.article(slug);
    if (own !== turn) return;
    cover(true);
    current = article;
    const title = el('h3', '', { tabindex: '-1', dir: 'auto' }, article?.title ?? texts.failed);
    const { lang = '', nodes = [] } = article ?? {};
    const text = el('div', 'article', { dir: 'auto', lang }, ...nodes.map(drawNode));
    draw(back(), title, text, ...(article ? [helped(article)] : []));
    title.focus({ preventScroll: true });
  }

  const back = () => action('tool', { 'aria-label': texts.back }, () => openHome(), backIcon());

  function drawNode(part: ArticleNode): Node | string {
    if (typeof part === 'string') return part;
    const [tag, attributes, ...content] = part;
    const drawn = el(tag as 'a', '', attributes, ...content.map(drawNode));
    for (const name of ['src', 'href']) {
      const address = attributes[name];
      if (address?.startsWith('/')) drawn.setAttribute(name, host.origin + address);
    }
    // Links to articles open here, all others in a new tab.
    const slug = /\/help\/[^/]+\/[^/]+\/([^/?#]+)$/.exec(attributes.href ?? '')?.[1];
    if (slug && drawn.href.startsWith(host.origin))
      drawn.onclick = (event) => {
        event.preventDefault();
        void openArticle(decodeURIComponent(slug));
      };
    return drawn;
  }

  function helped(article: PublishedArticle): HTMLElement {
    const box = el('div', 'helped', { role: 'status' }, texts.helped);
    const thank = () => box.replaceChildren(texts.thanks);
    const comment = field(texts.whatMissing, sendIcon(), '', (words) => {
      if (words) void reader.sendFeedback(article, { comment: words });
      thank();
    });
    const yes = () => {
      void reader.sendFeedback(article, { helped: true });
      thank();
    };
    const no = () => {
      void reader.sendFeedback(article, { helped: false });
      box.replaceChildren(comment);
    };
    box.append(action('choice', {}, yes, texts.yes), action('choice', {}, no, texts.no));
    return box;
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
