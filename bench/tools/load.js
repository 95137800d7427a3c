import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './statistics.js';

const TEXT = 'Hello, where is my order? It was to arrive last week, and I have heard nothing since.';
/** How long to wait at the end of a round for messages that have not arrived. */
const DRAIN_MAX_MS = 20_000;

/** Connects an agent and this many visitors, each with an open chat. */
export async function connectVisitors(target, count) {
  const agent = await target.agent();
  const arrive = async (right) => {
    const visitor = await target.connect(right);
    await target.send(visitor, TEXT);
    return visitor;
  };
  return { target, agent, visitors: await Promise.all((await target.visitors(count)).map(arrive)) };
}

/** Every visitor sends as soon as the message before is acknowledged. @returns how many messages, in how many seconds */
export async function saturate({ target, visitors }, forMs) {
  const began = performance.now();
  let count = 0;
  const sendOn = async (visitor) => {
    while (performance.now() < began + forMs) {
      await target.send(visitor, TEXT);
      count++;
    }
  };
  await Promise.all(visitors.map(sendOn));
  return { count, seconds: (performance.now() - began) / 1000 };
}

/** Sends messages at a fixed rate, without waiting for answers. @returns p50 and p99 of the milliseconds until the agent gets one */
export async function sendAtRate({ target, agent, visitors }, perSecond, forMs) {
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
      target.send(visitors[sent % visitors.length], String(performance.now())).catch(() => {});
    }
    if (elapsed === forMs) break;
    await sleep(1);
  }
  const until = performance.now() + DRAIN_MAX_MS;
  while (times.length < sent && performance.now() < until) await sleep(1);
  if (times.length < sent) throw new Error(`${target.name}: of ${sent} messages, ${times.length} came`);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), sent };
}
