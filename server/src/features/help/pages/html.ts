/** Markup that is safe to send. Only this file and the renderer of articles make it. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a template: texts are escaped, markup is not, and lists are joined. */
type Content = string | number | Html | false | null | undefined | Content[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as HTML, between tags and in quoted attributes alike. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/** Markup with values in it, each escaped unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(parts.reduce((markup, part, i) => `${markup}${markupOf(values[i - 1])}${part}`));
}

function markupOf(value: Content): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(markupOf).join('');
  return value === false || value === null || value === undefined ? '' : escaped(String(value));
}

/** Data for machines (JSON-LD) in a script element: nothing in it can end the element. */
export function jsonScript(data: object): Html {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return new Html(`<script type="application/ld+json">${json}</script>`);
}
