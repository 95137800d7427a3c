import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { FILE_MAX_BYTES, PICTURE_MAX_BYTES } from '../../src/platform/files/contract.ts';
import { COLUMNS } from '../pastChats.ts';
import { MARKS, run, UNITS } from './slow.ts';

/** A file that was made to be slow or large to read, and what it is. */
interface HostileFile {
  what: string;
  bytes: Buffer;
}

/** As long as a file may be, of this again and again, behind a beginning. */
const filled = (unit: Buffer | string, head: Buffer | string = '') => {
  const bytes = Buffer.alloc(FILE_MAX_BYTES, unit);
  Buffer.from(head).copy(bytes);
  return bytes;
};

/** An entry of a ZIP whose length stands behind it: whoever reads it looks for where it ends. */
const ZIP_ENTRY = Buffer.from('504b0304140008000800000000000000000000000000000000000100000061', 'hex');
const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const PNG_CHUNK = Buffer.from('0000000074455874deadbeef', 'hex');
const MP4_BOX = Buffer.from('0000000866726565', 'hex');

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2d6cdf' }, limitInputPixels: false });

const MB = 1024 * 1024;
/** As much of a unit as a CSV file of canned replies may have, between its first row and its end. */
const replies = (head: string, unit: string, end = '') =>
  Buffer.from(head + run(unit, Math.floor((2 * MB - 100) / Buffer.byteLength(unit)) * unit.length) + end);

/** CSV files of canned replies that are slow to read. */
export function replyFilesIn(isLong: boolean): HostileFile[] {
  const few: HostileFile[] = [
    { what: 'a shortcut of marks', bytes: replies('shortcut,content\n', MARKS, ',Hi\n') },
    { what: 'a head of empty cells', bytes: replies('content,', ',', `shortcut\n${'a,b\n'.repeat(20)}`) },
    { what: 'a cell of quotes', bytes: replies('shortcut,content\nhi,"', '""', '"') },
  ];
  if (!isLong) return few;
  const cells = UNITS.flatMap((unit) => {
    const what = JSON.stringify(unit.slice(0, 20));
    return [
      { what: `a shortcut of ${what}`, bytes: replies('shortcut,content\n', unit, ',Hi\n') },
      { what: `a content of ${what}`, bytes: replies('shortcut,content\nhi,', unit) },
      { what: `rows of ${what}`, bytes: replies('shortcut,content\n', `${run(unit, 1_000)},Hi\n`) },
    ];
  });
  return [
    ...few,
    ...cells,
    { what: 'a cell of line breaks', bytes: replies('shortcut,content\nhi,"', '\n', '"') },
    { what: 'rows of empty cells', bytes: replies('shortcut,content\n', `${','.repeat(1_000)}\n`) },
    { what: 'quotes that are not closed', bytes: replies('shortcut,content\nhi,"', 'a') },
    { what: 'NULs', bytes: replies('shortcut,content\n', '\0', ',Hi\n') },
  ];
}

/** CSV files of one conversation each, in the columns of `pastChats.ts`, that are slow to import. @param id of the conversation */
export function historiesIn(isLong: boolean, id: string): { what: string; file: string }[] {
  const of = (messages: number, text: string) =>
    [COLUMNS, ...Array.from({ length: messages }, (_, i) => `${id},${1714978800 + i},visitor,,"${text}",,`)].join('\n');
  const few = [
    { what: 'a long conversation', file: of(isLong ? 150_000 : 5_000, 'Hello') },
    { what: 'numbers without blanks', file: of(isLong ? 400 : 60, run('1234567890123,', 49_000)) },
  ];
  if (!isLong) return few;
  const units = UNITS.filter((unit) => !unit.includes('"')).map((unit) => ({
    what: `messages of ${JSON.stringify(unit.slice(0, 20))}`,
    file: of(100, run(unit, 49_000).slice(0, 49_000)),
  }));
  return [...few, ...units];
}

/** The suite takes those of which each was a bomb once, or nearly. */
export async function filesIn(isLong: boolean): Promise<HostileFile[]> {
  const few: HostileFile[] = [
    { what: 'a ZIP of entries without lengths', bytes: filled(ZIP_ENTRY) },
    { what: 'marks', bytes: filled('\u0301') },
    { what: 'a GIF of nine million pixels', bytes: await plain(3_000, 3_000).gif({ effort: 1 }).toBuffer() },
    { what: 'a WebP that unpacks to much', bytes: await plain(7_000, 7_000).webp({ effort: 0 }).toBuffer() },
  ];
  if (!isLong) return few;
  return [
    ...few,
    { what: 'a PNG of small chunks', bytes: filled(PNG_CHUNK, PNG_HEAD) },
    { what: 'an MP4 of empty boxes', bytes: filled(MP4_BOX, Buffer.from('00000018667479706d703432', 'hex')) },
    { what: 'an ID3 tag without an end', bytes: filled('ID3', Buffer.from('49443304000f7f7f7f7f', 'hex')) },
    { what: 'a Matroska of nothing', bytes: filled('\0', Buffer.from('1a45dfa3', 'hex')) },
    { what: 'noise', bytes: randomBytes(FILE_MAX_BYTES) },
    { what: 'zeros', bytes: filled('\0') },
    { what: 'letters', bytes: filled('a') },
    { what: 'line breaks', bytes: filled('\n') },
    { what: 'a JPEG of 48 million pixels', bytes: await plain(8_000, 6_000).jpeg().toBuffer() },
    { what: 'a progressive PNG of 49 million', bytes: await plain(7_000, 7_000).png({ progressive: true }).toBuffer() },
    { what: 'a WebP of 16 million', bytes: await plain(4_000, 4_000).webp({ effort: 0 }).toBuffer() },
    { what: 'a picture that is cut off', bytes: (await plain(3_000, 3_000).png().toBuffer()).subarray(0, 2_000) },
  ];
}

/** The same as pictures in forms, which are smaller: what is too long is cut off. */
export async function picturesIn(isLong: boolean): Promise<{ what: string; url: string }[]> {
  return (await filesIn(isLong)).map(({ what, bytes }) => {
    const picture = bytes.subarray(0, PICTURE_MAX_BYTES).toString('base64');
    return { what, url: `data:image/png;base64,${picture}` };
  });
}

/** What the server may hold of a history: it is read whole, in a thread of its own that takes some memory itself. */
export const historyGrowthOf = ({ length }: Buffer | string) => 20 * length + 128 * MB;

/** JSON files of histories that are slow to read, or become much. */
export function historyFilesIn(isLong: boolean): HostileFile[] {
  const most = isLong ? FILE_MAX_BYTES : MB;
  const of = (unit: string, head = '', end = '') =>
    Buffer.from(head + run(unit, Math.floor((most - 1_000) / unit.length) * unit.length) + end);
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`field ${i}`, 'x'.repeat(100)]));
  const messages = Array.from({ length: isLong ? 100_000 : 5_000 }, (_, i) => ({ from: 'user', content: `${i}` }));
  return [
    { what: 'brackets', bytes: of('[') },
    { what: 'objects in objects', bytes: of('{"messages":') },
    { what: 'commas', bytes: of(',', '[') },
    { what: 'a text that is not closed', bytes: of('a', '[{"content":"') },
    { what: 'lists of nothing', bytes: of('[],', '[', '[]]') },
    { what: 'objects of nothing', bytes: of('{},', '[', '{}]') },
    { what: 'lines of objects', bytes: of('{"a":1}\n') },
    { what: 'wide conversations of many messages', bytes: Buffer.from(JSON.stringify([{ ...many, messages }])) },
  ];
}
