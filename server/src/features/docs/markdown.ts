import { marked, type Token, type Tokens } from 'marked';
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
  content: Token[];
}

/**
 * Reads a page. The order in a section is free; links stand alone on a line, and `{#anchor}` ends a heading.
 * @param values of the placeholders `{{name}}`
 */
export function parsePage(markdown: string, values: Record<string, string | number> = {}): Parsed {
  const text = markdown.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `${values[name]}`);
  const [page, ...lists] = under(marked.lexer(text), 1);
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
  const [table] = content.filter(isTable);
  const items = content.filter(isList).flatMap((list) => list.items.map((item) => item.text));
  const code = codeIn(content);
  const links = content.flatMap((token) => linkIn(token) ?? []);
  return {
    id,
    title,
    text: textsOf(content.filter((token) => !linkIn(token))),
    ...(items.length > 0 && { items }),
    ...(table && { table: tableOf(table) }),
    ...(code.length > 0 && { code }),
    ...(links.length > 0 && { links: links.map(({ text, href }) => ({ text, href })) }),
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

const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth <= depth;

const before = (tokens: Token[], depth: number) => {
  const end = tokens.findIndex((token) => isHeading(token, depth));
  return end < 0 ? tokens : tokens.slice(0, end);
};

function under(tokens: Token[], depth: number): Heading[] {
  return tokens.flatMap((token, at) => {
    if (!isHeading(token, depth)) return [];
    const [, title = '', id = ''] = /^(.*?)(?: \{#(\S+)\})?$/.exec(token.text) ?? [];
    return { title, id, content: before(tokens.slice(at + 1), depth) };
  });
}

const textsOf = (tokens: Token[]) => tokens.flatMap((token) => (token.type === 'paragraph' ? token.text : []));

function codeIn(tokens: Token[]): DocCode[] {
  return tokens.flatMap((token) =>
    token.type === 'code' ? { language: token.lang as DocCode['language'], code: token.text } : [],
  );
}

function linkIn(token: Token): Tokens.Link | undefined {
  const [first, ...more] = token.type === 'paragraph' ? (token.tokens ?? []) : [];
  return first?.type === 'link' && more.length === 0 ? (first as Tokens.Link) : undefined;
}

/** A line break in a cell is written as `<br>`. */
function tableOf({ header, rows }: Tokens.Table): DocTable {
  const text = (cells: Tokens.TableCell[]) => cells.map((cell) => cell.text.replaceAll('<br>', '\n'));
  return { head: text(header), rows: rows.map(text) };
}

function parametersIn(tokens: Token[]): DocParameter[] {
  return tokens.filter(isTable).flatMap((table) =>
    tableOf(table).rows.map(([name = '', type = '', required, description = '']) => ({
      name: name.replaceAll('`', ''),
      type,
      required: required === 'yes',
      description,
    })),
  );
}
