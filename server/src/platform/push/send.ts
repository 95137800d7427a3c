import { createECDH } from 'node:crypto';
import { type Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Types } from 'mongoose';
import webPush from 'web-push';
import { events } from '#platform/events';
import { inEnglish, PrivateAddressError } from '#platform/http';
import type { Sentence } from '#platform/http/contract';
import type { PushAction, PushPayload } from './contract.ts';
import { devicesOf, type PushDoc, PushModel } from './devices.ts';

declare module '#platform/events' {
  interface Events {
    /** A browser's push service took a message, or (`failure`: its name and error) did not after all tries. */
    pushTried: { failure: string | null };
  }
}

const CURVE = 'prime256v1';
const PRIVATE_KEY_BYTES = 32;

/** The VAPID key pair that identifies this server to push services, in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Makes a private key on P-256, in base64url. @see https://www.rfc-editor.org/rfc/rfc8292 */
export function newVapidKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  const bytes = pair.getPrivateKey();
  return Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - bytes.length), bytes]).toString('base64url');
}

/** The key pair of a private key. */
export function vapidKeys(privateKey: string): VapidKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, 'base64url');
  return { publicKey: pair.getPublicKey('base64url', 'uncompressed'), privateKey };
}

/** How long a push service keeps a message for an offline device: a notification about an older chat is useless. */
const TTL_S = 3_600;
/** Shorter than the dashboard's timeout of its test message. */
const ANSWER_MAX_MS = 8_000;
/** The waits before the second and the third try. */
const RETRY_AFTER_MS = [2_000, 15_000];
/** The maximum wait that a push service may ask for. */
const RETRY_AFTER_MAX_MS = 60_000;
/** Messages in progress at the same time; further ones are dropped, so that a flood cannot fill the memory. */
const UNDER_WAY_MAX = 1_000;
/** The push services of browsers. Of others, which anybody can name, it says nothing about this server that they fail. */
const SERVICES = ['fcm.googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com'];
/** Answers that mean that a subscription has ended. */
const GONE = [404, 410];

/** A notification for a person's devices. */
export interface Notice extends Omit<PushPayload, 'title' | 'body' | 'said' | 'actions'> {
  title: Sentence;
  body: Sentence;
  /** Replaces the body on devices that may quote the message; null: there is nothing to quote. */
  preview: string | null;
  /** The buttons, whose tokens are for one device. */
  actionsFor?: (device: PushDoc) => PushAction[];
}

/** The recipient: only devices of active sessions receive messages, others are removed. */
export interface Recipient {
  user: Types.ObjectId;
  sessions: Types.ObjectId[];
}

/**
 * The result for one device. `failed`: not delivered after all tries. `gone`: the subscription ended, and the device is
 * removed.
 */
export type Delivery = 'sent' | 'gone' | 'failed';

/** Sends push messages. */
export interface Push {
  /** The public key for browsers' subscriptions. */
  key: string;
  /** Sends to all devices of a person; resolves when each has been reached or given up, after some tries. */
  send(to: Recipient, notice: Notice, options?: { tries: number }): Promise<Delivery[]>;
  /** Aborts the messages in progress. */
  stop(): Promise<void>;
}

/** What sending push messages needs. */
export interface PushOptions {
  keys: VapidKeys;
  /** The contact address for push services: an https or mailto address. */
  subject: string;
  agent: Agent;
  /** The waits before each further try. */
  retryAfterMs?: number[];
}

/** Creates the sender of push messages. @see https://www.rfc-editor.org/rfc/rfc8030 */
export function createPush({ keys, subject, agent, retryAfterMs = RETRY_AFTER_MS }: PushOptions): Push {
  const stopping = new AbortController();
  const underWay = new Set<Promise<Delivery>>();

  function begin(device: PushDoc, notice: Notice, tries: number): Promise<Delivery> {
    if (underWay.size >= UNDER_WAY_MAX) return Promise.resolve('failed');
    const delivery = deliver(device, notice, tries)
      .catch((error): Delivery => {
        if (!stopping.signal.aborted) events.fail(error, 'push');
        return 'failed';
      })
      .finally(() => underWay.delete(delivery));
    underWay.add(delivery);
    return delivery;
  }

  async function deliver(device: PushDoc, notice: Notice, tries: number): Promise<Delivery> {
    const { hostname } = new URL(device.endpoint);
    const isKnown = SERVICES.some((service) => hostname === service || hostname.endsWith(`.${service}`));
    const ended = (failure: string | null) => {
      if (isKnown) void events.emit('pushTried', { failure });
    };
    for (const wait of [...retryAfterMs.slice(0, tries - 1), null]) {
      const answer = await post(device, notice);
      if (answer && answer.status < 300) {
        ended(null);
        return 'sent';
      }
      if (answer && GONE.includes(answer.status)) {
        await PushModel.deleteOne({ _id: device._id, endpoint: device.endpoint });
        return 'gone';
      }
      const isWorthATry = !answer || answer.status === 429 || answer.status >= 500;
      if (!isWorthATry || wait === null) {
        ended(answer ? `${hostname} answered ${answer.status}` : `${hostname} cannot be reached`);
        break;
      }
      const pauseMs = Math.min((answer?.retryAfterS ?? 0) * 1_000, RETRY_AFTER_MAX_MS);
      await pause(Math.max(wait, pauseMs), null, { signal: stopping.signal });
    }
    return 'failed';
  }

  /** One try; null: the push service was not reached. Users supply the address, so nothing of the answer's body is read. */
  function post(device: PushDoc, notice: Notice): Promise<Answer | null> {
    const { endpoint, keys: deviceKeys } = device;
    const { method, headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: deviceKeys },
      payloadOf(notice, device),
      {
        vapidDetails: { subject, ...keys },
        TTL: TTL_S,
        urgency: 'high',
        ...(notice.chatId === null ? {} : { topic: notice.chatId }),
      },
    );
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_MAX_MS)]);
    return new Promise((resolve, reject) => {
      const sent = request(endpoint, { method, headers, agent, signal }, (answer) => {
        const { statusCode = 0, headers: said } = answer;
        resolve({ status: statusCode, retryAfterS: Number(said['retry-after']) || 0 });
        answer.destroy();
      });
      sent.on('error', (error) => {
        if (error instanceof PrivateAddressError || stopping.signal.aborted) reject(error);
        else resolve(null);
      });
      sent.end(body);
    });
  }

  return {
    key: keys.publicKey,
    async send({ user, sessions }, notice, { tries } = { tries: retryAfterMs.length + 1 }) {
      const living = new Set(sessions.map(String));
      const devices = await devicesOf(user);
      const dead = devices.filter(({ session }) => !living.has(session.toHexString()));
      if (dead.length > 0) await PushModel.deleteMany({ _id: { $in: dead.map(({ _id }) => _id) } });
      const reached = devices.filter((device) => !dead.includes(device));
      return Promise.all(reached.map((device) => begin(device, notice, tries)));
    },
    async stop() {
      stopping.abort();
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

/** The part of a push service's answer that is used. */
interface Answer {
  status: number;
  retryAfterS: number;
}

function payloadOf({ preview, actionsFor, ...payload }: Notice, device: PushDoc): string {
  const { title, body, ...rest } = payload;
  const quoted = device.preview ? preview : null;
  const shown: PushPayload = {
    ...rest,
    title: inEnglish(title),
    body: quoted ?? inEnglish(body),
    said: { title, ...(quoted === null && { body }) },
    ...(actionsFor && { actions: actionsFor(device) }),
  };
  return JSON.stringify(shown);
}
