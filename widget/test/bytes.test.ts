import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';

const LOADER_BYTES = 3_000;
const WIDGET_BYTES = 12_000;

const out = mkdtempSync(join(tmpdir(), 'parley-widget-'));
afterAll(() => rmSync(out, { recursive: true }));

test('what a page loads stays within the promised bytes, compressed', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../build.js'), out]);
  expect(status, String(stderr)).toBe(0);
  const files = readdirSync(out);
  expect(files).toEqual([expect.stringMatching(/^chat-[A-Z0-9]{8}\.js$/), 'widget.js']);
  const [chat = 0, loader = 0] = files.map((file) => brotliCompressSync(readFileSync(join(out, file))).length);
  expect(loader).toBeLessThanOrEqual(LOADER_BYTES);
  expect(loader + chat).toBeLessThanOrEqual(WIDGET_BYTES);
});
