import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';

/** English is in the chat itself. */
const OTHER_LANGUAGES = 11;
const LOADER_BYTES = 3_000;
const WIDGET_BYTES = 12_000;
/** The part with the connection, which is loaded when the panel is open. */
const LIVE_BYTES = 5_500;
/** All of it until a message can be acknowledged: with the headers of seven answers, 20,000 on the wire (see e2e/bytes.test.ts). */
const FIRST_MESSAGE_BYTES = 17_550;
/** A script that answers to the API of another chat. */
const SHIM_BYTES = 1_600;
/** What a click of the visitor loads. The largest is that of files, which also draws what failed. */
const PART_BYTES = 2_660;
/** What a message of an agent with formatting loads. */
const FORMATTING_BYTES = 1_050;
/** The buttons in place of the field, which the visitors of a site with buttons load with the connection. */
const FLOWS_BYTES = 2_000;
const out = mkdtempSync(join(tmpdir(), 'parley-widget-'));
afterAll(() => rmSync(out, { recursive: true }));

const weigh = (file: string) => brotliCompressSync(readFileSync(join(out, file))).length;

test('the compressed files that a page loads stay within their budget', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../build.js'), out]);
  expect(status, String(stderr)).toBe(0);
  const [chat = '', ...others] = readdirSync(out).filter((file) => file.startsWith('chat-'));
  expect(others).toEqual([]);
  const code = readFileSync(join(out, chat), 'utf8');
  const folder = readdirSync(out).find((name) => code.includes(`widget/${name}/`)) ?? '';
  const parts = new Map(readdirSync(join(out, folder)).map((file) => [file, weigh(join(folder, file))]));
  const texts = [...parts].filter(([file]) => /^[a-z]{2}\.js$/.test(file)).map(([, size]) => size);
  expect(texts).toHaveLength(OTHER_LANGUAGES);
  expect(weigh('widget.js')).toBeLessThanOrEqual(LOADER_BYTES);
  const untilOneCanType = weigh('widget.js') + weigh(chat) + Math.max(...texts);
  expect(untilOneCanType).toBeLessThanOrEqual(WIDGET_BYTES);
  const live = parts.get('live.js') ?? Number.NaN;
  expect(live).toBeLessThanOrEqual(LIVE_BYTES);
  expect(parts.get('formatting.js')).toBeLessThanOrEqual(FORMATTING_BYTES);
  expect(parts.get('flows.js')).toBeLessThanOrEqual(FLOWS_BYTES);
  expect(untilOneCanType + live).toBeLessThanOrEqual(FIRST_MESSAGE_BYTES);
  const shims = readdirSync(join(out, 'shims'));
  expect(shims).toHaveLength(4);
  for (const shim of shims) expect(weigh(`shims/${shim}`), shim).toBeLessThanOrEqual(SHIM_BYTES);
  for (const [file, size] of parts) if (file !== 'live.js') expect(size, file).toBeLessThanOrEqual(PART_BYTES);
});
