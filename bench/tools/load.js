import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './figures.js';

const TEXT = 'Hello, where is my order? It was to arrive last week, and I have heard nothing since.';
/** What is still under way when a round ends is waited for, but no longer than that. */
const DRAIN_MAX_MS = 20_000;

/** So many visitors of a side, there and with an open chat each; and the agent who hears them. */
export async function gather(side, count) {
  const agent = await side.agent();
  const arrive = async (right) => {
    const visitor = await side.come(right);
    await side.say(visitor, TEXT);
    return visitor;
  };
  return { side, agent, visitors: await Promise.all((await side.visitors(count)).map(arrive)) };
}

/** Every visitor sends as soon as the message before is acknowledged. Gives how many there were, and in how long. */
export async function saturate({ side, visitors }, forMs) {
  const began = performance.now();
  let count = 0;
  const sendOn = async (visitor) => {
    while (performance.now() < began + forMs) {
      await side.say(visitor, TEXT);
      count++;
    }
  };
  await Promise.all(visitors.map(sendOn));
  return { count, seconds: (performance.now() - began) / 1000 };
}

/** Messages at a fixed rate, whatever becomes of them. Gives the p50 and p99 of the milliseconds until the agent has each. */
export async function atRate({ side, agent, visitors }, perSecond, forMs) {
  const times = [];
  agent.on('new_message', ({ message }) => {
    const sentAt = Number(message.content);
    if (sentAt) times.push(performance.now() - sentAt);
  });
  const began = performance.now();
  let sent = 0;
  for (;;) {
    const elapsed = Math.min(performance.now() - began, forMs);
    for (; sent < (elapsed * perSecond) / 1000; sent++) {
      side.say(visitors[sent % visitors.length], String(performance.now())).catch(() => {});
    }
    if (elapsed === forMs) break;
    await sleep(1);
  }
  const until = performance.now() + DRAIN_MAX_MS;
  while (times.length < sent && performance.now() < until) await sleep(1);
  if (times.length < sent) throw new Error(`${side.name}: of ${sent} messages, ${times.length} came`);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), sent };
}
