import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './statistics.js';
import { createTexts } from './texts.js';

/** The agent answers each message of this many chats, as one who has them open: reads, types, answers. */
const ANSWERED_CHATS = 20;
/** What everybody says in the `plain` mode, in which nobody answers; for comparison with earlier figures. */
const PLAIN_TEXT = 'Hello, where is my order? It was to arrive last week, and I have heard nothing since.';
/** How long to wait at the end of a round for messages that have not arrived. */
const DRAIN_MAX_MS = 20_000;

/**
 * Connects an agent and this many visitors, each with an open chat.
 * @param plain one constant text, and no answers
 */
export async function connectVisitors(target, count, { plain = false } = {}) {
  const texts = plain ? () => PLAIN_TEXT : createTexts();
  const agent = await target.agent();
  const arrive = async (right) => {
    const visitor = await target.connect(right);
    await target.send(visitor, texts());
    return visitor;
  };
  const visitors = await Promise.all((await target.visitors(count)).map(arrive));
  const answered = new Set(plain ? [] : visitors.slice(0, ANSWERED_CHATS));
  for (const visitor of answered) await target.open(agent, visitor);
  return { target, agent, visitors, answered, texts };
}

/** Sends a message; in some chats the agent then answers it. @returns how many messages were acknowledged */
async function converse({ target, agent, answered, texts }, visitor, clientId = randomUUID()) {
  const { message } = await target.send(visitor, texts(), clientId);
  if (!answered.has(visitor)) return 1;
  await Promise.all([
    target.staffReceipt(agent, visitor, 'received', message.seq),
    target.staffReceipt(agent, visitor, 'read', message.seq),
    target.type(agent, visitor),
  ]);
  const { message: answer } = await target.answer(agent, visitor, texts());
  await Promise.all([
    target.visitorReceipt(visitor, 'received', answer.seq),
    target.visitorReceipt(visitor, 'read', answer.seq),
  ]);
  return 2;
}

/** Every visitor sends as soon as the message before is acknowledged. @returns how many messages, in how many seconds */
export async function saturate(crowd, forMs) {
  const began = performance.now();
  let count = 0;
  const sendOn = async (visitor) => {
    while (performance.now() < began + forMs) {
      const messages = await converse(crowd, visitor);
      count += messages;
    }
  };
  await Promise.all(crowd.visitors.map(sendOn));
  return { count, seconds: (performance.now() - began) / 1000 };
}

/**
 * Visitors send at a fixed rate, without waiting for answers.
 * @returns p50 and p99 of the milliseconds until the agent gets a message, and how many messages there were with the answers
 */
export async function sendAtRate(crowd, perSecond, forMs) {
  const { target, agent, visitors } = crowd;
  const sentAt = new Map();
  const times = [];
  agent.on('new_message', ({ message }) => {
    const at = sentAt.get(message.clientId);
    if (at !== undefined) times.push(performance.now() - at);
  });
  const began = performance.now();
  const conversations = [];
  for (;;) {
    const elapsed = Math.min(performance.now() - began, forMs);
    while (sentAt.size < (elapsed * perSecond) / 1000) {
      const clientId = randomUUID();
      const visitor = visitors[sentAt.size % visitors.length];
      sentAt.set(clientId, performance.now());
      conversations.push(converse(crowd, visitor, clientId));
    }
    if (elapsed === forMs) break;
    await sleep(1);
  }
  const until = performance.now() + DRAIN_MAX_MS;
  while (times.length < sentAt.size && performance.now() < until) await sleep(1);
  if (times.length < sentAt.size) throw new Error(`${target.name}: of ${sentAt.size} messages, ${times.length} came`);
  const messages = (await Promise.all(conversations)).reduce((sum, count) => sum + count, 0);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), messages };
}
