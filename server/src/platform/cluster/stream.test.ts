import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '#test/factories';
import { startRedis } from '../../../../scripts/cluster/redis.js';
import { type Entry, signedEntries } from './entries.ts';
import { openRedis, openStream, type Redis, type Stream } from './stream.ts';

const KEY = 'parley:test:events';
const entries = signedEntries('a secret', 'test');

describe('the stream of events', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;
  let stream: Stream;
  const received: string[] = [];
  const missed: string[] = [];

  beforeAll(async () => {
    server = await startRedis();
    redis = openRedis(server.url, () => {});
    stream = openStream({
      url: server.url,
      key: KEY,
      entries,
      node: 'own',
      isListed: async (id) => id !== 'ended',
      received: ({ name }) => void received.push(name),
      missed: (from) => missed.push(from),
      failed: () => {},
    });
    await until(async () => stream.isWell() && redis.isReady);
  });
  afterAll(async () => {
    await stream.stop();
    redis.destroy();
    await server.stop();
  });

  const entry = (node: string, count: number, ...names: string[]): Entry => ({
    node,
    count,
    events: names.map((name) => ({ name, data: null })),
  });
  const write = (...fields: Parameters<typeof entry>) => redis.xAdd(KEY, '*', entries.encode(entry(...fields)));

  test('what is sent twice is received once, and what was missed is noticed', async () => {
    await write('other', 7, 'first', 'second');
    await write('own', 1, 'its own');
    await write('other', 7, 'first', 'second');
    await write('other', 8, 'third');
    await until(async () => received.includes('third'));
    expect([received, missed]).toEqual([['first', 'second', 'third'], []]);
    await write('other', 10, 'after a hole');
    await until(async () => received.includes('after a hole'));
    expect(missed).toEqual(['other']);
    expect(stream.lagMs()).toBeLessThan(60_000);
  });

  test('an entry that no node has written is counted, and believed by nobody', async () => {
    const forged = [
      signedEntries('another secret', 'test').encode(entry('other', 11, 'forged')),
      signedEntries('a secret', 'staging').encode(entry('other', 11, 'of another installation')),
      { n: 'other', c: '11', e: '[{"name":"unsigned","data":null}]' },
      { ...entries.encode(entry('other', 11, 'renumbered')), c: '900000000000000' },
      { ...entries.encode(entry('other', 11, 'signed')), s: '' },
      { x: 'something else' },
    ];
    for (const fields of forged) await redis.xAdd(KEY, '*', fields);
    for (const e of ['no JSON', '{}', '[null]']) {
      const { n, c } = entries.encode(entry('other', 11));
      await redis.xAdd(KEY, '*', { n: n ?? '', c: c ?? '', e });
    }
    await write('other', 11, 'goes on');
    await until(async () => received.includes('goes on'));
    expect(received.slice(-2)).toEqual(['after a hole', 'goes on']);
    expect(stream.refused()).toBe(9);
  });

  test('what a node wrote that has ended is not believed when somebody writes it again', async () => {
    const before = stream.refused();
    await write('ended', 5, 'of the past');
    await write('other', 12, 'of today');
    await until(async () => received.includes('of today'));
    expect([received.slice(-2), stream.refused() - before]).toEqual([['goes on', 'of today'], 1]);
  });

  test('a node that is far ahead of what the stream holds is heard on, and was missed', async () => {
    missed.length = 0;
    await write('other', 9e14, 'far ahead');
    await write('other', 13, 'as before');
    await until(async () => received.includes('as before'));
    expect([received.slice(-2), missed]).toEqual([['far ahead', 'as before'], ['other']]);
  });

  test('what Redis refuses, because its memory is full, is sent once it accepts it', async () => {
    const other: string[] = [];
    const reader = openStream({
      url: server.url,
      key: KEY,
      entries,
      node: 'reader',
      isListed: async () => true,
      received: ({ name }) => void other.push(name),
      missed: () => other.push('missed'),
      failed: () => {},
    });
    await until(async () => reader.isWell());
    await redis.sendCommand(['CONFIG', 'SET', 'maxmemory', '1']);
    stream.publish({ name: 'refused', data: null });
    await until(async () => stream.unsent() === 1);
    await redis.sendCommand(['CONFIG', 'SET', 'maxmemory', '0']);
    await until(async () => {
      stream.publish({ name: 'later', data: null });
      return other.includes('later');
    });
    expect(other.slice(0, 2)).toEqual(['refused', 'later']);
    await reader.stop();
  });
});
