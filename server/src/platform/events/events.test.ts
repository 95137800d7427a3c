import { afterEach, expect, test } from 'vitest';
import '../../features/auth/model.ts';
import { type EncodedEvent, events } from './index.ts';

const stops: (() => void)[] = [];
const faults: unknown[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  events.reportTo(() => {});
  events.publishWith(undefined);
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

test('a listener may return any value', async () => {
  events.reportTo((error) => faults.push(error));
  const given = [1, 'done', true, { label: 'sender' }, null];
  // What an arrow function gives back that only calls something.
  for (const value of given) stops.push(events.on('signedIn', () => value as unknown as undefined));
  await events.emit('signedIn', heard);
  expect(faults).toEqual([]);
});

const ended = { sessionId: 's', userId: 'ana', reason: 'signed_out' } as const;

test('an event reaches the listeners of both kinds here, and on other nodes only those who listen everywhere', async () => {
  const sent: EncodedEvent[] = [];
  events.publishWith((event) => sent.push(event));
  const heardBy: string[] = [];
  stops.push(
    events.on('sessionEnded', () => void heardBy.push('once')),
    events.everywhere('sessionEnded', ({ userId }) => void heardBy.push(`everywhere ${userId}`)),
  );
  await events.emit('sessionEnded', ended);
  expect(heardBy.splice(0)).toEqual(['once', 'everywhere ana']);
  expect(sent).toEqual([{ name: 'sessionEnded', data: ended }]);
  await events.receive(JSON.parse(JSON.stringify(sent[0])));
  expect(heardBy).toEqual(['everywhere ana']);
});

test('an event that is not sent to other nodes cannot have listeners of every node', async () => {
  const sent: EncodedEvent[] = [];
  events.publishWith((event) => sent.push(event));
  await events.emit('signedIn', heard);
  expect(sent).toEqual([]);
  expect(() => events.everywhere('signedIn', () => {})).toThrow('Declare whether the event signedIn crosses nodes.');
});

test('unknown events of a node of another version are ignored', async () => {
  events.reportTo((error) => faults.push(error));
  await events.receive({ name: 'madeUpLater', data: { userId: 'ana' } });
  expect(faults).toEqual([]);
});
