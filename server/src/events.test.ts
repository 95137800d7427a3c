import { afterEach, expect, test } from 'vitest';
import { events } from './events.ts';

const stops: (() => void)[] = [];
const faults: unknown[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  events.reportTo(() => {});
  faults.length = 0;
});

const heard = { userId: 'ana' };

test('an emitter waits for its listeners, and their failures are reported', async () => {
  events.reportTo((error) => faults.push(error));
  const done: string[] = [];
  stops.push(
    events.on('signedIn', () => {
      throw new Error('at once');
    }),
    events.on('signedIn', async ({ userId }) => {
      await new Promise(setImmediate);
      done.push(userId);
    }),
    events.on('signedIn', () => Promise.reject(new Error('later'))),
  );
  await events.emit('signedIn', heard);
  expect(done).toEqual(['ana']);
  expect(faults).toEqual([new Error('at once'), new Error('later')]);
});

test('a listener may give back whatever it has called', async () => {
  events.reportTo((error) => faults.push(error));
  const given = [1, 'done', true, { label: 'sender' }, null];
  // What an arrow function gives back that only calls something.
  for (const value of given) stops.push(events.on('signedIn', () => value as unknown as undefined));
  await events.emit('signedIn', heard);
  expect(faults).toEqual([]);
});
