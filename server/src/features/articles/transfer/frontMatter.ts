/** What stands above the text of an exported article: one value or list for each name. */
export type FrontMatter = Record<string, string | string[]>;

const LINES_MAX = 200;
const FENCE = '---';

/**
 * Reads a Markdown file with front matter: names with plain or quoted values, and lists. It is the part of YAML that exports of
 * help centres have; what else stands there is ignored.
 */
export function readFrontMatter(file: string): { about: FrontMatter; text: string } {
  const lines = file
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const end =
    lines[0]?.trim() === FENCE
      ? lines.slice(0, LINES_MAX).findIndex((line, at) => at > 0 && line.trim() === FENCE)
      : -1;
  if (end < 0) return { about: {}, text: lines.join('\n') };
  const about: FrontMatter = Object.create(null);
  let list: string[] | null = null;
  for (const line of lines.slice(1, end)) {
    const item = /^\s*- (.*)$/.exec(line)?.[1];
    const [, name, value = ''] = /^([A-Za-z]\w{0,40}):(.*)$/.exec(line) ?? [];
    if (item !== undefined && list) list.push(plainOf(item));
    else if (name !== undefined) {
      list = value.trim() === '' ? [] : null;
      about[name] = list ?? (value.trim().startsWith('[') ? inlineList(value.trim()) : plainOf(value));
    }
  }
  return {
    about,
    text: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

/** As quoted, or as it stands. */
function plainOf(written: string): string {
  const value = written.trim();
  if (value.startsWith('"')) return String(fromJson(value) ?? value);
  return value.length > 1 && value.startsWith("'") && value.endsWith("'")
    ? value.slice(1, -1).replaceAll("''", "'")
    : value;
}

function inlineList(value: string): string[] {
  const items = fromJson(value);
  if (Array.isArray(items)) return items.map(String);
  return value
    .slice(1, value.endsWith(']') ? -1 : undefined)
    .split(',')
    .map(plainOf)
    .filter((item) => item !== '');
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A Markdown file with front matter. Values in JSON are YAML, too. */
export function writeFrontMatter(about: Record<string, string | string[] | number>, text: string): string {
  const lines = Object.entries(about).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `${[FENCE, ...lines, FENCE].join('\n')}\n\n${text}\n`;
}
