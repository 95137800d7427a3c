import MarkdownIt, { type Token } from 'markdown-it';
import type { DocCode, DocMethod, DocPage, DocParameter, DocSection, DocTable, DocTutorial } from './contract.ts';

/** A page as its Markdown has it: sections, and after further headings of the first level what those hold, by their words. */
interface Parsed extends DocPage {
  lists: Map<string, Heading[]>;
  parameters: DocParameter[];
}

/** A heading and what stands below it, up to the next one of its level. */
interface Heading {
  title: string;
  id: string;
  content: Block[];
}

/**
 * Reads a page. The order in a section is free; links stand alone on a line, and `{#anchor}` ends a heading.
 * @param values of the placeholders `{{name}}`
 */
export function parsePage(markdown: string, values: Record<string, string | number> = {}): Parsed {
  const text = markdown.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `${values[name]}`);
  const [page, ...lists] = under(blocksOf(text), 1);
  if (!page) throw new Error('A page of the documentation has no title.');
  const inList = (list: Heading) => under(list.content, 2);
  return {
    title: page.title,
    description: textsOf(before(page.content, 2)).join(' '),
    sections: inList(page).map(sectionOf),
    lists: new Map(lists.map((list) => [list.title, inList(list)])),
    parameters: lists.flatMap(({ content }) => parametersIn(before(content, 2))),
  };
}

function sectionOf({ id, title, content }: Heading): DocSection {
  const [table] = only(content, 'table');
  const items = only(content, 'list').flatMap((list) => list.items);
  const code = codeIn(content);
  const links = only(content, 'paragraph').flatMap(({ link }) => link ?? []);
  return {
    id,
    title,
    text: textsOf(content.filter((block) => !('link' in block))),
    ...(items.length > 0 && { items }),
    ...(table && { table: table.table }),
    ...(code.length > 0 && { code }),
    ...(links.length > 0 && { links }),
  };
}

/** The second level is a tutorial, the third one a step. */
export function tutorialOf({ id, title, content }: Heading): DocTutorial {
  const steps = under(content, 3).map((step) => {
    const [code] = codeIn(step.content);
    return { title: step.title, text: textsOf(step.content).join(' '), ...(code && { code }) };
  });
  return { id, title, description: textsOf(before(content, 3)).join(' '), steps };
}

/** A method or an event, with its example. */
export function methodOf({ id, title: name, content }: Heading): DocMethod {
  const [example] = codeIn(content);
  if (!example) throw new Error(`${name} has no example.`);
  return { id, name, description: textsOf(content).join(' '), parameters: parametersIn(content), example };
}

const parser = new MarkdownIt();

/** What stands on the first level of a page. Texts keep their inline marks, which the reader's page shows. */
type Block =
  | { type: 'heading'; depth: number; text: string }
  | { type: 'paragraph'; text: string; link?: { text: string; href: string } }
  | { type: 'list'; items: string[] }
  | { type: 'code'; code: DocCode }
  | { type: 'table'; table: DocTable };
type Of<Type extends Block['type']> = Extract<Block, { type: Type }>;

const only = <Type extends Block['type']>(blocks: Block[], type: Type): Of<Type>[] =>
  blocks.filter((block): block is Of<Type> => block.type === type);

function blocksOf(markdown: string): Block[] {
  const tokens = parser.parse(markdown, {});
  return tokens.flatMap((token, at): Block[] => {
    if (token.level > 0) return [];
    const [inline] = tokens.slice(at + 1, at + 2);
    const text = inline?.content ?? '';
    const end = tokens.findIndex((other, index) => index > at && other.level === 0);
    const inside = tokens.slice(at + 1, end);
    switch (token.type) {
      case 'heading_open':
        return [{ type: 'heading', depth: Number(token.tag.slice(1)), text }];
      case 'paragraph_open':
        return [{ type: 'paragraph', text, ...linkIn(inline) }];
      case 'bullet_list_open':
      case 'ordered_list_open':
        return [{ type: 'list', items: inside.flatMap((part) => (part.type === 'inline' ? part.content : [])) }];
      case 'fence':
        return [{ type: 'code', code: { language: token.info as DocCode['language'], code: token.content.trimEnd() } }];
      case 'table_open':
        return [{ type: 'table', table: tableOf(inside) }];
      default:
        return [];
    }
  });
}

/** A link that stands alone. */
function linkIn(inline: Token | undefined): Pick<Of<'paragraph'>, 'link'> {
  const [open, text, close, ...more] = inline?.children ?? [];
  if (open?.type !== 'link_open' || close?.type !== 'link_close' || more.length > 0) return {};
  return { link: { text: text?.content ?? '', href: String(open.attrGet('href')) } };
}

/** A line break in a cell is written as `<br>`. */
function tableOf(tokens: Token[]): DocTable {
  const rows: string[][] = [];
  for (const { type, content } of tokens) {
    if (type === 'tr_open') rows.push([]);
    if (type === 'inline') rows.at(-1)?.push(content.replaceAll('<br>', '\n'));
  }
  const [head = [], ...others] = rows;
  return { head, rows: others };
}

const before = (blocks: Block[], depth: number) => {
  const end = blocks.findIndex((block) => block.type === 'heading' && block.depth <= depth);
  return end < 0 ? blocks : blocks.slice(0, end);
};

function under(blocks: Block[], depth: number): Heading[] {
  return blocks.flatMap((block, at) => {
    if (block.type !== 'heading' || block.depth > depth) return [];
    const [, title = '', id = ''] = /^(.*?)(?: \{#(\S+)\})?$/.exec(block.text) ?? [];
    return { title, id, content: before(blocks.slice(at + 1), depth) };
  });
}

const textsOf = (blocks: Block[]) => only(blocks, 'paragraph').map(({ text }) => text);
const codeIn = (blocks: Block[]) => only(blocks, 'code').map(({ code }) => code);

function parametersIn(blocks: Block[]): DocParameter[] {
  return only(blocks, 'table').flatMap(({ table }) =>
    table.rows.map(([name = '', type = '', required, description = '']) => ({
      name: name.replaceAll('`', ''),
      type,
      required: required === 'yes',
      description,
    })),
  );
}
