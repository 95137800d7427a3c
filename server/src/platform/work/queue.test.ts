import { Schema } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '#test/harness';
import { connection, defineModel } from '../database/connection.ts';
import { createWorkLeases, type Outcome, type WorkDoc, workFields } from './leases.ts';
import { createQueue, type DeadLetterReason, type HeldLease, type QueueOptions, type WorkQueue } from './queue.ts';

interface Parcel extends WorkDoc {
  _id: string;
  owner: string;
  lane: string;
  seq: number;
  createdAt: Date;
  result?: string;
  at?: number;
}

const parcelSchema = new Schema<Parcel>(
  {
    _id: { type: String, required: true },
    owner: { type: String, required: true },
    lane: { type: String, required: true },
    seq: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    result: { type: String },
    at: { type: Number },
    ...workFields,
  },
  { versionKey: false },
);
/** What another node does just before the next write that makes a lane wait. */
let beforePostponing: (() => Promise<void>) | undefined;
parcelSchema.pre('updateMany', async () => {
  const meanwhile = beforePostponing;
  beforePostponing = undefined;
  await meanwhile?.();
});
const parcels = defineModel<Parcel>('Parcel', parcelSchema, 'parcels');

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const all = connection.collection('parcels');
  await all.createIndex({ owner: 1, dueAt: 1 });
  await all.createIndex({ owner: 1, lane: 1, seq: 1 });
});
afterAll(() => server.stop());

const LEASE_MS = 1_000;
const clock = { now: 1_000_000 };
const nodes: WorkQueue[] = [];
const hung: (() => void)[] = [];
afterEach(async () => {
  for (const end of hung.splice(0)) end();
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
  await parcels.deleteMany({});
});

/** Adds work of one owner. */
async function add(owner: string, count: number, lane = (i: number) => `${owner}${i}`): Promise<void> {
  const at = new Date(clock.now);
  for (let i = 0; i < count; i++)
    await parcels.create({ _id: `${owner}:${i}`, owner, lane: lane(i), seq: i, createdAt: at, dueAt: at });
}

/** One node. Only a `wake` makes it look: the test decides on time. */
function node(run: QueueOptions<Parcel>['run'], more: Partial<QueueOptions<Parcel>> = {}): WorkQueue {
  const queue = createQueue<Parcel>({
    name: 'parcels',
    model: parcels,
    partitionBy: 'owner',
    leaseMs: LEASE_MS,
    backoffMs: [100, 200],
    concurrency: 2,
    deadLetter: (_, why: DeadLetterReason) => ({ end: 'done', set: { result: why } }),
    everyMs: 20,
    now: () => clock.now,
    run,
    ...more,
  });
  nodes.push(queue);
  queue.start();
  return queue;
}

const done = (result = 'done'): Outcome<Parcel> => ({ end: 'done', set: { result } });
/** A process that dies while it works: its try never ends. */
const dies = () => new Promise<Outcome<Parcel>>((end) => hung.push(() => end(done('by the dead'))));
const left = () => parcels.countDocuments({ dueAt: { $exists: true } });
const one = async (_id: string) => (await parcels.findById(_id).lean<Parcel>()) as Parcel;

test('two nodes do each piece of work once, and a piece that fails again after its back-off', async () => {
  await add('a', 20);
  await add('b', 20);
  const tries: string[] = [];
  const run = async ({ _id, attempts }: Parcel) => {
    tries.push(`${_id}/${attempts}`);
    return _id === 'a:3' && attempts === 1 ? ({ end: 'failed' } as const) : done();
  };
  node(run);
  node(run);
  await expect.poll(left).toBe(1);
  expect((await one('a:3')).dueAt?.getTime()).toBe(clock.now + 100);
  clock.now += 100;
  await expect.poll(left).toBe(0);
  expect(tries.toSorted()).toEqual([...new Set(tries)].toSorted());
  expect(tries).toHaveLength(41);
});

test('work that kills its process five times is given up, and says so; what is stored as progress counts anew', async () => {
  await add('a', 1);
  const last = () => one('a:0');
  for (let kill = 1; kill <= 5; kill++) {
    let isTaken = false;
    node(
      () => {
        isTaken = true;
        return dies();
      },
      { concurrency: 1 },
    );
    await expect.poll(() => isTaken).toBe(true);
    expect((await last()).takes).toBe(kill);
    clock.now += LEASE_MS;
  }
  node(async () => done());
  await expect.poll(async () => (await last()).result).toBe('killed');
  await parcels.deleteMany({});

  await add('b', 1);
  let renewed: boolean | undefined;
  node(async (_, { renew }: HeldLease<Parcel>) => {
    renewed = await renew({ at: 7 });
    return dies();
  });
  await expect.poll(() => renewed).toBe(true);
  expect(await one('b:0')).toMatchObject({ at: 7, takes: 1, attempts: 1 });
});

test('the end of a try is not stored by a node that has lost its lease', async () => {
  await add('a', 1);
  let isTaken = false;
  const frozen = node(
    () => {
      isTaken = true;
      return dies();
    },
    { concurrency: 1 },
  );
  await expect.poll(() => isTaken).toBe(true);
  clock.now += LEASE_MS;
  node(async () => done('by the living'));
  await expect.poll(left).toBe(0);
  for (const end of hung.splice(0)) end();
  await frozen.idle();
  expect(await one('a:0')).toMatchObject({ result: 'by the living', attempts: 2 });
  expect((await one('a:0')).dueAt).toBeUndefined();
});

test('a lane is done in its order by three nodes, whatever fails or dies in between', async () => {
  await add('a', 12, (i) => `lane ${i % 2}`);
  const order: string[] = [];
  let kills = 2;
  const run = async ({ _id, attempts = 0, seq }: Parcel) => {
    if (seq === 5 && kills-- > 0) return dies();
    if (seq % 3 === 0 && attempts === 1) return { end: 'failed', at: clock.now + 50 } as const;
    order.push(_id);
    return done();
  };
  const lane = { field: 'lane', order: { seq: 1 } } as const;
  for (let nodes = 0; nodes < 3; nodes++) node(run, { ordering: lane });
  await expect
    .poll(
      () => {
        clock.now += 100;
        return left();
      },
      { interval: 20 },
    )
    .toBe(0);
  const of = (rest: number) => order.filter((id) => Number(id.split(':')[1]) % 2 === rest);
  expect(of(0)).toEqual(['a:0', 'a:2', 'a:4', 'a:6', 'a:8', 'a:10']);
  expect(of(1)).toEqual(['a:1', 'a:3', 'a:5', 'a:7', 'a:9', 'a:11']);
});

test('nobody is behind the many pieces of another, and limits bound what one has under way', async () => {
  await add('a', 30);
  await add('b', 2);
  const order: string[] = [];
  let most = 0;
  let running = 0;
  node(
    async ({ _id, owner }) => {
      if (owner === 'a') most = Math.max(most, ++running);
      order.push(_id);
      await one(_id);
      if (owner === 'a') running--;
      return done();
    },
    { concurrency: 8, limitsOf: (key) => [{ name: key, max: 2 }] },
  );
  await expect.poll(left).toBe(0);
  expect(Math.max(order.indexOf('b:0'), order.indexOf('b:1'))).toBeLessThan(8);
  expect(most).toBeLessThanOrEqual(2);
});

test('a queue at rest finds what another process has added', async () => {
  node(async () => done(), { everyMs: 5 });
  await add('a', 1);
  await expect.poll(left).toBe(0);
});

test('work that is too old is given up untried, and what is put off was not tried', async () => {
  await add('a', 2);
  await add('b', 1);
  const tried: string[] = [];
  let isPutOff = true;
  const queue = node(
    async ({ _id }) => {
      tried.push(_id);
      return isPutOff ? { end: 'later', at: clock.now + 500, whole: true } : done();
    },
    { concurrency: 1, notAfter: ({ createdAt, owner }) => createdAt.getTime() + (owner === 'b' ? -1 : 1_000) },
  );
  await expect.poll(async () => (await one('b:0')).result).toBe('old');
  await expect.poll(async () => (await one('a:1')).dueAt?.getTime()).toBe(clock.now + 500);
  expect(tried).toHaveLength(1);
  expect([(await one('a:0')).attempts, (await one('a:1')).attempts]).toEqual([0, 0]);
  isPutOff = false;
  await queue.retryNow('a');
  await expect.poll(left).toBe(0);
  expect(tried).toHaveLength(3);
});

/** The leases of a node that takes work by itself. */
const leases = createWorkLeases<Parcel>({
  model: parcels,
  partitionBy: 'owner',
  ordering: { field: 'lane', order: { seq: 1 } },
  leaseMs: LEASE_MS,
  backoffMs: [100],
});

test('work whose predecessor another node ends while this one makes it wait does not wait for a lease', async () => {
  await add('a', 2, () => 'lane');
  const first = (await leases.take('a', new Set(), clock.now)) as Parcel;
  beforePostponing = async () => {
    await leases.end(first, done(), clock.now);
    await leases.makeNextDue(first, clock.now);
  };
  expect(await leases.take('a', new Set(), clock.now)).toMatchObject({ _id: 'a:1' });
});

test('work of a process that has died waits for what came in front of it meanwhile, and holds up no other lane', async () => {
  await add('a', 3, (seq) => (seq < 2 ? 'one' : 'other'));
  await parcels.updateOne({ _id: 'a:0' }, { attempts: 1, dueAt: new Date(clock.now + 500) });
  await parcels.updateOne({ _id: 'a:1' }, { attempts: 1, takes: 1, dueAt: new Date(clock.now - 500) });
  expect(await leases.take('a', new Set(), clock.now)).toMatchObject({ _id: 'a:2' });
  expect(await leases.take('a', new Set(), clock.now)).toBeNull();
});
