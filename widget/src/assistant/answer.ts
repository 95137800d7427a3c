import type { Message } from 'server/contract';
import type { ChatContext, PartContext } from '../chat/context.ts';
import css from './assistant.css';
import type { AssistantTexts } from './languages.ts';

const HEAD =
  'M12 4v3M7.5 7.5h9a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3h-9a3 3 0 0 1-3-3v-5a3 3 0 0 1 3-3ZM9.5 12v1.5M14.5 12v1.5';

/** The chat that has the style sheet. */
let styled: AbortSignal | undefined;

/** The texts in the visitor's language; also puts the style sheet on the page. */
export async function prepare({ host, language, loadPart, signal }: ChatContext): Promise<AssistantTexts> {
  const { texts } = await loadPart(`assistant-${language.name}`);
  if (styled !== signal && !signal.aborted) host.dom.addStyles(host.root, css);
  styled = signal;
  return texts;
}

/** The mark of the assistant, in place of a picture. */
export function robot({ host }: ChatContext): SVGSVGElement {
  const mark = host.dom.icon(HEAD);
  mark.classList.add('robot');
  return mark;
}

/** An answer of the assistant, as elements: its text, and what it is made of. */
export async function formatted(context: PartContext, message: Message): Promise<Node[]> {
  const { host, panel, store } = context;
  const { el } = host.dom;
  const texts = await prepare(context);
  const items = (message.sources ?? []).map(({ title, article, lang, url }) => {
    const { config } = store.state;
    const words = { lang, dir: 'auto' };
    // Where the widget shows articles, this one opens in it.
    if (url && !config.articles)
      return el('li', '', {}, el('a', '', { ...words, href: url, target: '_blank', rel: 'noopener' }, title));
    const button = el('button', '', { ...words, type: 'button' }, title);
    button.onclick = () => {
      store.state.openArticle = article;
      config.articles ??= 'off';
      panel.render();
    };
    return el('li', '', {}, button);
  });
  return [
    robot(context),
    el('span', '', {}, message.text),
    el('ol', 'sources', { 'aria-label': texts.sources }, ...items),
  ];
}
