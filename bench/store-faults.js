// npm run bench -- store-faults [ROUNDS]: the embedded store under faults. Parley is killed with -9 during mixed writes, ROUNDS
// times (default 100), and its data checked; a disk of 128 MB is filled (Linux, as root); its socket gets malformed messages.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../scripts/setup.js';
import { AcknowledgedWrites } from './tools/acknowledged-writes.js';
import { sendMalformedMessages } from './tools/malformed-messages.js';
import { connectStore, startParley } from './tools/parley.js';

const ROUNDS = Number(process.argv[3] ?? 100);
const WRITERS = 12;
/** The longest time in a round before the kill. */
const ROUND_MAX_MS = 1_200;
/** Larger than the default `DISK_RESERVE`, below which the store refuses writes. */
const DISK_MB = 128;
const MALFORMED_MS = 30_000;
const TEXT = 'x'.repeat(20_000);

const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
try {
  await killed(join(folder, 'killed'));
  await fullDisk(join(folder, 'disk'));
  await malformed(join(folder, 'malformed'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function killed(dataDir) {
  const writes = new AcknowledgedWrites();
  for (let round = 1; round <= ROUNDS; round++) {
    const parley = await startParley(dataDir);
    const client = await connectStore(dataDir);
    await writes.prepare(client.db());
    await writes.compare();
    const writers = Array.from({ length: WRITERS }, () => writes.write().catch(() => {}));
    await sleep(Math.random() * ROUND_MAX_MS);
    await parley.kill();
    await client.close();
    await Promise.all(writers);
    checkData(dataDir);
  }
  const parley = await startParley(dataDir);
  const client = await connectStore(dataDir);
  await writes.prepare(client.db());
  await writes.compare();
  await client.close();
  await parley.stop();
  console.log(`killed ${ROUNDS} times: ${writes.acknowledged} writes acknowledged, none lost, no errors after each`);
}

async function fullDisk(dataDir) {
  mkdirSync(dataDir);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dataDir]).status !== 0) {
    console.log('disk full: not tried, since this user may not mount one');
    return;
  }
  try {
    const parley = await startParley(dataDir);
    const client = await connectStore(dataDir);
    const items = client.db().collection('items');
    let n = 0;
    const refusal = await fill(items, () => n++);
    const [count, read] = [await items.countDocuments({}), await items.findOne({ _id: 0 })];
    await client.close();
    await parley.stop();
    checkData(dataDir);
    const again = await startParley(dataDir);
    const after = await connectStore(dataDir);
    const kept = await after.db().collection('items').countDocuments({});
    await after.close();
    await again.stop();
    if (read === null || count !== n || kept !== n) throw new Error(`${n} acknowledged, ${count} then, ${kept} after`);
    console.log(
      `disk full: refused with ${refusal.code} "${refusal.message}"; ${n} documents read before and after a restart`,
    );
  } finally {
    execFileSync('umount', [dataDir]);
  }
}

/** Writes until the disk is full. @returns the error */
async function fill(items, acknowledged) {
  for (let id = 0; ; id++) {
    const refusal = await items.insertOne({ _id: id, TEXT }).then(
      () => null,
      (error) => error,
    );
    if (refusal) return refusal;
    acknowledged();
  }
}

async function malformed(dataDir) {
  const parley = await startParley(dataDir);
  const client = await connectStore(dataDir);
  await sendMalformedMessages(dataDir, MALFORMED_MS);
  const before = parley.memory();
  const sent = await sendMalformedMessages(dataDir, MALFORMED_MS);
  const after = parley.memory();
  await client.db().command({ ping: 1 });
  await client.close();
  await parley.stop();
  checkData(dataDir);
  console.log(
    `malformed: ${sent} messages, all others answered; memory ${before.toFixed(0)} → ${after.toFixed(0)} MiB (${(after / before).toFixed(2)} ×)`,
  );
}

function checkData(dataDir) {
  const env = { ...process.env, DATA_DIR: dataDir };
  execFileSync(process.execPath, [join(ROOT, 'server/dist/maintenance.js'), 'check'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
