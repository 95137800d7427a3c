import type { Agent } from 'node:https';
import { deleteInBatches } from '../bulk.ts';
import { events } from '../events.ts';
import type { Mail } from '../mail/mail.ts';
import { liveSite } from '../sites/guards.ts';
import type { SiteDoc } from '../sites/model.ts';
import { kindOf, type WebhookDoc } from '../sites/webhooks.ts';
import { DAY_MS, MINUTE_MS } from '../time.ts';
import type { SecretBox } from '../twofactor/secretBox.ts';
import { chatRequest } from './chatRequests.ts';
import type { WebhookPayload } from './contract.ts';
import { noteFailing, noteWell } from './health.ts';
import { type DeliveryDoc, DeliveryModel, IS_WAITING, shortenLog } from './model.ts';
import { mailSwitchedOff } from './ownerMail.ts';
import { payloadOf, type Subject } from './payload.ts';
import { type Attempt, createPoster, type Post, TOO_MANY_REQUESTS } from './post.ts';
import { failed, patienceMs, postpone, release, sent, takeHead, takeNext } from './queue.ts';
import { openTarget, signatureHeaders, type Target } from './sealed.ts';

declare module '../events.ts' {
  interface Events {
    /** The server has switched a webhook of the site off, because nothing was delivered for a day. */
    webhookSwitchedOff: { site: SiteDoc };
    /** A delivery failed, because the receiver's certificate is not valid. */
    webhookCertificateFailed: { site: SiteDoc; webhookId: string; host: string; reason: string };
    /** A delivery succeeded after others had failed. */
    webhookRecovered: { webhookId: string };
  }
}

/** Requests under way at the same time, in all and per webhook, so that slow receivers do not delay the others' events. */
const AT_ONCE = 64;
const AT_ONCE_PER_WEBHOOK = 4;
/** A receiver that takes longer gets one request at a time. */
const SLOW_MS = 2_000;
/** After so many failures in a row, a webhook rests before the next try. */
const RESTS_AFTER = 3;
const REST_MS = [5_000, 30_000, 120_000, 600_000];
/** The log is shortened after so many deliveries. */
const SHORTEN_EVERY = 50;

/** What delivering needs. */
export interface DeliverDeps {
  /** Connects to receivers. */
  agent: Agent;
  secretBox: SecretBox;
  publicUrl: string | null;
  mail: Mail;
  /** Milliseconds */
  now: () => number;
}

/** A webhook that has deliveries under way, or whose last ones failed. */
interface Receiver {
  siteId: string;
  workers: number;
  /** Lanes with a delivery under way. */
  lanes: Set<string>;
  /** Failures in a row. */
  failures: number;
  restsUntil: number;
  /** How long it has asked to be left alone (429). */
  askedUntil: number;
  isSlow: boolean;
  delivered: number;
}

/** Delivers what is in the outbox. */
export interface Deliverer {
  /** Starts delivering everything that is due. @returns whether more is due now or soon */
  look(): Promise<boolean>;
  /** Starts delivering what is due for a webhook. */
  start(webhookId: string, siteId: string): void;
  /** One request, without the outbox. */
  attempt(
    site: SiteDoc,
    webhook: WebhookDoc,
    delivery: Subject & { _id: string },
    answerMaxMs?: number,
  ): Promise<Attempt | null>;
  /** Forgets that a webhook's receiver had failed. */
  forgive(webhookId: string): void;
  /** Aborts the requests in progress; they are made again after the next start. */
  stop(): Promise<void>;
}

/** Creates the deliverer of one node. */
export function createDeliverer({ agent, secretBox, publicUrl, mail, now }: DeliverDeps): Deliverer {
  const poster = createPoster(agent);
  const receivers = new Map<string, Receiver>();
  const running = new Set<Promise<void>>();
  /** The webhook that was started last. */
  let turn = NO_WEBHOOK;
  let isStopped = false;

  /** Round-robin: goes on after the webhook that was started last, and then from the beginning. */
  async function look(): Promise<boolean> {
    const begun = turn;
    let isAwaited = false;
    for (const [after, upTo] of [
      [begun, null],
      [NO_WEBHOOK, begun],
    ] as const) {
      for (let at = after; !isStopped && running.size < AT_ONCE; ) {
        const webhook = { $gt: at, ...(upTo && { $lte: upTo }) };
        const first = await DeliveryModel.findOne({ webhook, ...IS_WAITING }, { webhook: 1, site: 1, dueAt: 1 })
          .sort({ webhook: 1, dueAt: 1 })
          .lean<DeliveryDoc>();
        if (!first) break;
        at = first.webhook.toHexString();
        turn = at;
        const dueAt = first.dueAt?.getTime() ?? 0;
        if (dueAt <= now()) start(at, first.site.toHexString());
        isAwaited ||= dueAt <= now() + SOON_MS;
      }
    }
    return isAwaited || running.size >= AT_ONCE;
  }

  function start(webhookId: string, siteId: string): void {
    const known = receivers.get(webhookId);
    const receiver = known ?? {
      siteId,
      workers: 0,
      lanes: new Set(),
      failures: 0,
      restsUntil: 0,
      askedUntil: 0,
      isSlow: false,
      delivered: 0,
    };
    const most = receiver.failures > 0 || receiver.isSlow ? 1 : AT_ONCE_PER_WEBHOOK;
    if (isStopped || running.size >= AT_ONCE || receiver.workers >= most || isResting(receiver)) return;
    receivers.set(webhookId, receiver);
    receiver.workers++;
    const worker = work(webhookId, receiver)
      .catch((error) => events.fail(error, 'webhooks'))
      .finally(() => {
        running.delete(worker);
        receiver.workers--;
        if (receiver.workers === 0 && receiver.failures === 0 && !isResting(receiver)) receivers.delete(webhookId);
      });
    running.add(worker);
  }

  const isResting = ({ restsUntil, askedUntil }: Receiver) => Math.max(restsUntil, askedUntil) > now();

  async function work(webhookId: string, receiver: Receiver): Promise<void> {
    while (!isStopped && !isResting(receiver)) {
      const head = await takeNext(webhookId, [...receiver.lanes], now());
      if (!head) return;
      // Another worker may have taken the same lane meanwhile.
      if (receiver.lanes.has(head.lane)) return release(head, now());
      receiver.lanes.add(head.lane);
      // More may be due.
      start(webhookId, receiver.siteId);
      const wasFull = running.size >= AT_ONCE;
      await drain(head, receiver).finally(() => receiver.lanes.delete(head.lane));
      if (!wasFull) continue;
      // Others wait for a place: they have their turn first.
      setImmediate(() => void look().catch((error) => events.fail(error, 'webhooks')));
      return;
    }
  }

  /** Delivers a lane in its order, until a delivery fails. */
  async function drain(head: DeliveryDoc, receiver: Receiver): Promise<void> {
    for (let delivery: DeliveryDoc | null = head; delivery; ) {
      if (isStopped) return release(delivery, now());
      if (!(await deliver(delivery, receiver))) return;
      delivery = isStopped || isResting(receiver) ? null : await takeHead(delivery, now());
    }
  }

  /** @returns whether the next one of the lane may follow */
  async function deliver(delivery: DeliveryDoc, receiver: Receiver): Promise<boolean> {
    const { webhook: webhookId } = delivery;
    const site = await liveSite(delivery.site.toHexString());
    const webhook = site?.webhooks?.find(({ _id }) => _id.equals(webhookId));
    if (!site || !webhook) {
      await deleteInBatches(DeliveryModel, { webhook: webhookId });
      return false;
    }
    if (!webhook.enabled) {
      await postpone(webhookId, now() + WHILE_OFF_MS);
      return false;
    }
    const began = performance.now();
    const attempt = await attemptOf(site, webhook, delivery);
    if (!attempt) {
      await DeliveryModel.deleteOne({ _id: delivery._id });
      return true;
    }
    receiver.isSlow = performance.now() - began > SLOW_MS;
    if (!attempt.failure) {
      await sent(delivery, attempt, now());
      await succeeded(site, webhook, receiver);
      return true;
    }
    if (isStopped) {
      await release(delivery, now());
      return false;
    }
    receiver.failures++;
    if (attempt.answerStatus === TOO_MANY_REQUESTS) receiver.askedUntil = now() + patienceMs(attempt);
    if (receiver.failures >= RESTS_AFTER)
      receiver.restsUntil = now() + (REST_MS[receiver.failures - RESTS_AFTER] ?? REST_MS.at(-1) ?? 0);
    const isOver = await failed(delivery, attempt, now());
    if (attempt.failure === 'certificate') await certificateFailed(site, webhook, attempt);
    if (await noteFailing(site, webhook, now())) {
      await events.emit('webhookSwitchedOff', { site });
      await events.emit('noticesChanged', { siteId: site._id.toHexString() });
      await mailSwitchedOff(mail, site, webhook);
    }
    return isOver;
  }

  async function certificateFailed(site: SiteDoc, webhook: WebhookDoc, { reason = '' }: Attempt): Promise<void> {
    const host = new URL(openTarget(secretBox, webhook)?.url ?? '').host;
    await events.emit('webhookCertificateFailed', { site, webhookId: String(webhook._id), host, reason });
  }

  async function succeeded(site: SiteDoc, webhook: WebhookDoc, receiver: Receiver): Promise<void> {
    const wasDown = receiver.failures >= RESTS_AFTER;
    receiver.failures = 0;
    receiver.restsUntil = 0;
    await noteWell(site, webhook, { wasDown, now: now() });
    if (webhook.failingSince) await events.emit('webhookRecovered', { webhookId: String(webhook._id) });
    if (++receiver.delivered % SHORTEN_EVERY === 0) await shortenLog(webhook._id);
  }

  async function attemptOf(
    site: SiteDoc,
    webhook: WebhookDoc,
    delivery: Subject & { _id: string },
    answerMaxMs?: number,
  ): Promise<Attempt | null> {
    const payload = await payloadOf(delivery, site, publicUrl);
    if (!payload) return null;
    const target = openTarget(secretBox, webhook);
    if (!target) return { failure: 'secret' };
    return poster.post({
      ...requestOf(webhook, target, payload, { id: delivery._id, now: now() }),
      ...(answerMaxMs && { answerMaxMs }),
    });
  }

  return {
    look,
    start,
    attempt: attemptOf,
    forgive(webhookId) {
      const receiver = receivers.get(webhookId);
      if (receiver?.workers === 0) receivers.delete(webhookId);
      else if (receiver) Object.assign(receiver, { failures: 0, restsUntil: 0, askedUntil: 0 });
    },
    async stop() {
      isStopped = true;
      poster.stop();
      await Promise.all(running);
    },
  };
}

/** The request that tells a webhook of an event. */
function requestOf(
  webhook: WebhookDoc,
  target: Target,
  payload: WebhookPayload,
  { id, now }: { id: string; now: number },
): Pick<Post, 'url' | 'headers' | 'body'> {
  const kind = kindOf(webhook);
  if (kind !== 'custom') return { ...chatRequest(kind, target, payload), headers: {} };
  const { url, secret = '', former } = target;
  const body = JSON.stringify(payload);
  return { url, headers: signatureHeaders({ secret, ...(former && { former }) }, { id, body, now }), body };
}

/** Before every webhook. */
const NO_WEBHOOK = '0'.repeat(24);
/** What waits for a webhook that is off is not looked at, until the webhook is switched on. */
const WHILE_OFF_MS = DAY_MS;
/** Work that is due this soon keeps the search for it from resting. */
const SOON_MS = MINUTE_MS;
