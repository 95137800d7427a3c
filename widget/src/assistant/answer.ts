import type { Message } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import type { Host } from '../host.ts';
import css from './assistant.css';
import type { AssistantTexts } from './languages.ts';

const HEAD =
  'M12 4v3M7.5 7.5h9a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3h-9a3 3 0 0 1-3-3v-5a3 3 0 0 1 3-3ZM9.5 12v1.5M14.5 12v1.5';

/** The chat that has the style sheet. */
let styled: AbortSignal | undefined;

/** The texts in the visitor's language; also puts the style sheet on the page. */
export async function prepare({ host, language, loadPart, signal }: PartContext): Promise<AssistantTexts> {
  const { texts } = await loadPart(`assistant-${language.name}`);
  if (styled !== signal && !signal.aborted) host.dom.addStyles(host.root, css);
  styled = signal;
  return texts;
}

/** The mark of the assistant, in place of a picture. */
export function robot({ dom }: Host): SVGSVGElement {
  const mark = dom.icon(HEAD);
  mark.classList.add('robot');
  return mark;
}

/** An answer of the assistant, as elements: its text, and what it is made of. */
export function drawn({ host, panel, store }: PartContext, own: AssistantTexts, { text, sources }: Message): Node[] {
  const { el } = host.dom;
  const items = sources?.map(({ title, article, lang, url }) => {
    const { config } = store.state;
    // Where the widget shows articles, this one opens in it.
    const isLink = url && !config.articles;
    const to = isLink ? { href: url, target: '_blank', rel: 'noopener' } : { type: 'button' };
    const link = el(isLink ? 'a' : 'button', '', { lang, dir: 'auto', ...to }, title);
    if (!isLink)
      link.onclick = () => {
        store.state.openArticle = article;
        config.articles ??= 'off';
        panel.render();
      };
    return el('li', '', {}, link);
  });
  return [robot(host), el('span', '', {}, text), el('ol', 'sources', { 'aria-label': own.sources }, ...(items ?? []))];
}

/** The same for the part that draws messages. */
export const formatted = async (context: PartContext, message: Message) =>
  drawn(context, await prepare(context), message);
