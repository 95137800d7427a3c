import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRedis } from '../../../scripts/cluster/redis.js';
import { until } from '../../test/factories.ts';
import type { EncodedEvent } from '../events.ts';
import { openRedis, openStream, type Redis, type Stream } from './stream.ts';

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
      node: 'own',
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

  /** An entry as another node writes it. */
  const write = (n: string, c: number, ...names: string[]) => {
    const events: EncodedEvent[] = names.map((name) => ({ name, data: null }));
    return redis.xAdd('parley:events', '*', { n, c: String(c), e: JSON.stringify(events) });
  };

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

  test('an entry that cannot be read does not stop those after it', async () => {
    await redis.xAdd('parley:events', '*', { n: 'other', c: '11', e: 'no JSON' });
    await write('other', 12, 'goes on');
    await until(async () => received.includes('goes on'));
  });

  test('what Redis refuses, because its memory is full, is sent once it accepts it', async () => {
    const other: string[] = [];
    const reader = openStream({
      url: server.url,
      node: 'reader',
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
