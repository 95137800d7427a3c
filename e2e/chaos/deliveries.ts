import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Document } from 'mongodb';
import type { WebhookEvent, WebhookPayload } from 'server/contract';
import { expect, onTestFinished, vi } from 'vitest';
import type { World } from '../delivery/world.ts';
import { inDatabase } from '../harness/database.ts';
import { startMailbox } from '../harness/mailbox.ts';
import { TALKER } from './turns.ts';

const EVENTS: WebhookEvent[] = ['message.created', 'chat.closed', 'chat.reopened'];
/** Every so many calls are refused, so that some wait while others follow. */
const REFUSED_EVERY = 20;
/** A mail waits for two minutes, and one whose node was killed while it was sent for the five of its lease besides. */
const DELIVERED_TIMEOUT_MS = 600_000;
const LOOK_EVERY_MS = 500;

/** What nodes deliver to the outside: a program that a webhook leads to, and a mail server. */
export interface Deliveries {
  /** The settings of the nodes that let them reach both. */
  env: Record<string, string>;
  /** Adds the webhook to the shop. */
  listenTo(world: World): Promise<void>;
  /**
   * Throws unless the program was told everything that is stored, each chat in its order and each event with one id, and the
   * visitors were mailed each answer in one mail.
   * @param kills how often a node was killed: each may repeat what it was sending
   * @returns the figures, in words
   */
  check(world: World, kills: number): Promise<string[]>;
}

/** Starts both. */
export async function receiveDeliveries(): Promise<Deliveries> {
  const [program, mailbox] = [await startProgram(), await startMailbox()];
  onTestFinished(mailbox.stop);

  /** The mails by what they quote, each with how often it came. */
  function mailsWith(answer: string): Map<string, number> {
    const counts = new Map<string, number>();
    // A line of its own: one answer may begin as another does.
    for (const mail of mailbox.mails)
      if (mail.text?.split('\n').some((line) => line.endsWith(answer)))
        counts.set(mail.messageId ?? '', (counts.get(mail.messageId ?? '') ?? 0) + 1);
    return counts;
  }

  return {
    env: { WEBHOOK_HOSTS: program.host, SMTP_URL: mailbox.url, PUBLIC_URL: 'http://localhost' },
    async listenTo({ api, owner: { token }, site }) {
      const body = { url: `http://${program.host}/`, events: EVENTS };
      await api('POST /sites/:id/webhooks', { token, params: { id: site._id }, body });
    },
    async check(world, kills) {
      const messages = await messagesIn(world);
      const answers = messages
        .filter(({ sender, content }) => sender === 'agent' && content.startsWith(TALKER))
        .map(({ content }) => content as string);
      await vi.waitFor(
        () => {
          expect(ofTalkers(program.chats)).toEqual(ofTalkers(toldOf(messages)));
          expect(answers.filter((answer) => mailsWith(answer).size === 0)).toEqual([]);
        },
        { timeout: DELIVERED_TIMEOUT_MS, interval: LOOK_EVERY_MS },
      );
      expect(answers.filter((answer) => mailsWith(answer).size > 1)).toEqual([]);
      const ids = new Set(mailbox.mails.map(({ messageId }) => messageId));
      const again = mailbox.mails.length - ids.size;
      expect(again).toBeLessThanOrEqual(kills);
      return [
        `a webhook was told of ${program.told()} events, each chat in its order, ${program.again()} of them again under the same id`,
        `${answers.length} answers were mailed, each in one of ${ids.size} mails, ${again} of them again under the same id`,
      ];
    },
  };
}

/** A program that refuses some of its calls. */
async function startProgram() {
  /** What was accepted first under each id, by chat. */
  const chats = new Map<string, string[]>();
  const ids = new Set<string>();
  let [calls, again] = [0, 0];

  const server = createServer(async (asked, answer) => {
    const { type, data } = JSON.parse(await text(asked)) as WebhookPayload;
    const isRefused = ++calls % REFUSED_EVERY === 0;
    answer.writeHead(isRefused ? 503 : 204).end();
    if (isRefused) return;
    const id = String(asked.headers['webhook-id']);
    if (ids.has(id)) again++;
    else sayIn(chats, data.chat?._id ?? '', data.message?.content ?? type);
    ids.add(id);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, chats, told: () => ids.size, again: () => again };
}

function sayIn(chats: Map<string, string[]>, chat: string, said: string): void {
  chats.set(chat, [...(chats.get(chat) ?? []), said]);
}

/** The chats that began after the webhook was added. */
function ofTalkers(chats: Map<string, string[]>): Record<string, string[]> {
  return Object.fromEntries([...chats].filter(([, [first = '']]) => first.startsWith(TALKER)));
}

function messagesIn(world: World): Promise<Document[]> {
  return inDatabase(world, (db) => db.collection('messages').find().sort({ chat: 1, seq: 1 }).toArray());
}

/** What is to be told of stored messages, by chat. */
function toldOf(messages: Document[]): Map<string, string[]> {
  const chats = new Map<string, string[]>();
  for (const { chat, sender, event, content } of messages)
    if (sender !== 'system') sayIn(chats, String(chat), content);
    else if (event === 'closed' || event === 'reopened') sayIn(chats, String(chat), `chat.${event}`);
  return chats;
}
