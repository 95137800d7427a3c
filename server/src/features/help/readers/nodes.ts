import { Parser } from 'htmlparser2';
import type { ArticleNode } from '#features/articles/contract';

type Element = [tag: string, attributes: Record<string, string>, ...content: ArticleNode[]];

/** What sanitized HTML says, as nodes. */
export function nodesOf(html: string): ArticleNode[] {
  const root: Element = ['', {}];
  const open = [root];
  const parser = new Parser({
    onopentag(tag, attributes) {
      const element: Element = [tag, { ...attributes }];
      open.at(-1)?.push(element);
      open.push(element);
    },
    ontext(text) {
      open.at(-1)?.push(text);
    },
    onclosetag() {
      open.pop();
    },
  });
  parser.end(html);
  const [, , ...nodes] = root;
  return nodes;
}
