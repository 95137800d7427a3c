import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startConversation } from '../delivery/conversation.ts';
import { createWorld } from '../delivery/world.ts';
import { reportResult } from './report.ts';

/** The server's own reserve is 64 MB: there has to be room above it. */
const DISK_MB = 160;
const CRUMB_BYTES = 4_096;
const BURST = 40;
const FULL_MS = 5_000;
const TIMEOUT_MS = 300_000;

test('the disk is full while everybody writes, then free again', async ({ skip }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dataDir]);
  if (mounted.status !== 0) return skip('this user may not mount a small disk');
  // Lazily: after a failure the server still runs.
  onTestFinished(() => void execFileSync('umount', ['--lazy', dataDir]));
  const world = await createWorld({ parley: { dataDir } });
  const conversation = await startConversation(world);
  const ballast = join(dataDir, 'ballast');
  fill(ballast);
  conversation.burst(BURST);
  await sleep(FULL_MS);
  const held = conversation.waiting();
  expect(held).toBeGreaterThan(0);
  rmSync(ballast);
  await vi.waitFor(() => expect(conversation.waiting()).toBe(0), TIMEOUT_MS);
  await reportResult(world, `disk of ${DISK_MB} MB full`, [`${held} messages waited for room with their senders`]);
});

/** Writes into a file until the disk takes no more. */
function fill(file: string): void {
  const crumb = Buffer.alloc(CRUMB_BYTES);
  try {
    for (;;) appendFileSync(file, crumb);
  } catch {
    // Full.
  }
}
