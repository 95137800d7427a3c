import { lookup } from 'node:dns';
import type { Agent } from 'node:https';
import { kindOf, liveSite, type SiteDoc, SiteModel, type WebhookDoc } from '#features/sites';
import { deleteInBatches } from '#platform/database';
import type { Env } from '#platform/env';
import { events } from '#platform/events';
import { publicAgent } from '#platform/http';
import type { Mail } from '#platform/mail';
import type { SecretBox } from '#platform/secrets';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#platform/time';
import { backoffOf, type ConcurrencyLimit, createQueue, type HeldLease, type Outcome } from '#platform/work';
import { allowedAddresses } from './addresses.ts';
import { chatRequest } from './chatRequests.ts';
import { WEBHOOK_TRIED_HOURS, type Webhook, type WebhookPayload } from './contract.ts';
import { noteFailing, noteWell } from './health.ts';
import { endedWithKey } from './keys.ts';
import { type DeliveryDoc, DeliveryModel, shortenLog } from './model.ts';
import { mailSwitchedOff } from './ownerMail.ts';
import { payloadOf, type Subject } from './payload.ts';
import { type Attempt, createPoster, type Post, TOO_MANY_REQUESTS } from './post.ts';
import { decryptTarget, signatureHeaders, type Target } from './signature.ts';

declare module '#platform/events' {
  interface Events {
    /** The server has switched a webhook of the site off. */
    webhookSwitchedOff: { site: SiteDoc; reason: NonNullable<Webhook['switchedOffFor']> };
    /** A delivery failed, because the receiver's certificate is not valid. */
    webhookCertificateFailed: { site: SiteDoc; webhookId: string; host: string; reason: string };
    /** A delivery succeeded after others had failed. */
    webhookRecovered: { webhookId: string };
  }
}

/** Requests under way at the same time: in all, of an account, and of a webhook whose receiver is known to be quick. */
const AT_ONCE = 64;
const AT_ONCE_PER_ACCOUNT = 8;
const AT_ONCE_PER_WEBHOOK = 4;
/** A receiver that takes longer gets one request at a time, and all slow ones share a limit. */
const SLOW_MS = 2_000;
const AT_ONCE_OF_SLOW = 16;
/** Receivers that are remembered as quick or slow. */
const RECEIVERS_MAX = 10_000;
/** The lease of a delivery under way, longer than a request takes. */
const LEASE_MS = 20 * SECOND_MS;
/** The wait after each failure; the last value holds for all further ones. */
const BACKOFF_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
const TRIED_MS = WEBHOOK_TRIED_HOURS * HOUR_MS;
/** The longest wait that a receiver may ask for. */
const RETRY_AFTER_MAX_S = 3_600;
/** Circuit breaker: after so many failures in a row, a webhook rests before the next try. */
const RESTS_AFTER = 3;
const REST_MS = [5_000, 30_000, 120_000, 600_000];
/** How long deliveries to a webhook that is off are put off; switching it on makes them due. */
const WHILE_OFF_MS = DAY_MS;

export interface DeliverDeps {
  settings: Pick<Env, 'publicUrl' | 'webhookHosts'>;
  /** Connects to receivers; by default to public addresses, and those that the operator allows. */
  agent: Agent | undefined;
  secretBox: SecretBox;
  mail: Mail;
  /** The interval of looks for due deliveries, in milliseconds. */
  everyMs: number | undefined;
  now: () => number;
}

/** What this node knows of a webhook's receiver. */
interface Receiver {
  /** Failures in a row. */
  failures: number;
  restsUntil: number;
  /** Until when it has asked for a pause (429), in milliseconds. */
  pausedUntil: number;
  /** How it was at its last answer. */
  pace: 'quick' | 'slow' | 'unknown';
}

/** Delivers what is in the outbox. */
export interface Deliverer {
  start(): void;
  /** Whether a webhook may lead to this address. */
  isAllowed(url: unknown): boolean;
  /** Something was put into the outbox for a webhook. */
  wake(webhookId: string): void;
  /** Forgets that a webhook's receiver had failed, and delivers what waits for it. */
  retry(webhookId: string): Promise<void>;
  /** One request, without the outbox. */
  attempt(
    site: SiteDoc,
    webhook: WebhookDoc,
    delivery: Subject & { _id: string },
    answerMaxMs?: number,
  ): Promise<Attempt | null>;
  /** Aborts the requests in progress; they are made again after the next start. */
  stop(): Promise<void>;
}

/** Creates the deliverer of one node. */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const { settings, secretBox, mail, everyMs, now } = deps;
  const { isAllowed, isListed } = allowedAddresses(settings.webhookHosts);
  const { agent = publicAgent(lookup, { sockets: AT_ONCE, isAllowed: isListed }) } = deps;
  const poster = createPoster(agent, { isAllowed });
  const receivers = new Map<string, Receiver>();
  const queue = createQueue<DeliveryDoc>({
    name: 'webhooks',
    model: DeliveryModel,
    partitionBy: 'webhook',
    ordering: { field: 'lane', order: { order: 1, _id: 1 } },
    leaseMs: LEASE_MS,
    backoffMs: BACKOFF_MS,
    concurrency: AT_ONCE,
    accountOf: async ({ site }) => (await liveSite(site.toHexString()))?.owner.toHexString() ?? '',
    limitsOf,
    run: deliver,
    deadLetter: () => ({ end: 'done', set: { status: 'failed', failure: 'connection', doneAt: new Date(now()) } }),
    everyMs,
    now,
  });

  function receiverOf(webhookId: string): Receiver {
    const remembered = receivers.get(webhookId);
    if (remembered) return remembered;
    const [oldest] = receivers.size >= RECEIVERS_MAX ? receivers.keys() : [];
    if (oldest !== undefined) receivers.delete(oldest);
    const receiver: Receiver = { failures: 0, restsUntil: 0, pausedUntil: 0, pace: 'unknown' };
    receivers.set(webhookId, receiver);
    return receiver;
  }

  function limitsOf(webhookId: string, account: string): ConcurrencyLimit[] {
    const { failures, restsUntil, pausedUntil, pace } = receiverOf(webhookId);
    const isResting = Math.max(restsUntil, pausedUntil) > now();
    const most = failures === 0 && pace === 'quick' ? AT_ONCE_PER_WEBHOOK : 1;
    return [
      { name: webhookId, max: isResting ? 0 : most },
      { name: `account ${account}`, max: AT_ONCE_PER_ACCOUNT },
      ...(pace === 'slow' ? [{ name: 'slow', max: AT_ONCE_OF_SLOW }] : []),
    ];
  }

  async function deliver(delivery: DeliveryDoc, { signal }: HeldLease<DeliveryDoc>): Promise<Outcome<DeliveryDoc>> {
    const { webhook: webhookId } = delivery;
    const found = await hookOf(delivery);
    if (!found) {
      await deleteInBatches(DeliveryModel, { webhook: webhookId });
      return { end: 'deleted' };
    }
    const { site, webhook } = found;
    if (!webhook.enabled || (await endedWithKey(site, webhook, now())))
      return { end: 'later', at: now() + WHILE_OFF_MS, whole: true };
    const receiver = receiverOf(webhookId.toHexString());
    const began = performance.now();
    const attempt = await attemptOf(site, webhook, delivery);
    if (!attempt) return { end: 'deleted' };
    if (attempt.failure && signal.aborted) return { end: 'later', at: now() };
    receiver.pace = performance.now() - began > SLOW_MS ? 'slow' : 'quick';
    const outcome = attempt.failure ? failedWith(delivery, attempt) : sentWith(attempt);
    await (attempt.failure ? noteFailure(found, receiver, attempt) : noteSuccess(found, receiver));
    if (outcome.end === 'done') await shortenLog(webhookId);
    return outcome;
  }

  const sentWith = ({ answerStatus }: Attempt): Outcome<DeliveryDoc> => ({
    end: 'done',
    set: { status: 'sent', doneAt: new Date(now()), triedAt: new Date(now()), ...(answerStatus && { answerStatus }) },
    unset: ['failure', 'answer'],
  });

  /** The delivery is tried again until it is a day old; later ones of its chat wait for it. */
  function failedWith({ createdAt, attempts }: DeliveryDoc, attempt: Attempt): Outcome<DeliveryDoc> {
    const { failure = 'connection', answerStatus, answer } = attempt;
    const at = now();
    const set = { failure, triedAt: new Date(at), ...(answerStatus && { answerStatus }), ...(answer && { answer }) };
    const unset = (['answerStatus', 'answer'] as const).filter((field) => !attempt[field]);
    if (at - createdAt.getTime() >= TRIED_MS)
      return { end: 'done', set: { ...set, status: 'failed', doneAt: new Date(at) }, unset };
    const pauseMs = retryAfterMs(attempt);
    // A busy receiver says when it is ready, so there is no backoff.
    const isBusy = answerStatus === TOO_MANY_REQUESTS && pauseMs > 0;
    const waitMs = isBusy ? pauseMs : Math.max(backoffOf(BACKOFF_MS, attempts), pauseMs);
    return { end: 'failed', set, unset, at: at + waitMs };
  }

  async function noteFailure({ site, webhook }: Hooked, receiver: Receiver, attempt: Attempt): Promise<void> {
    receiver.failures++;
    if (attempt.answerStatus === TOO_MANY_REQUESTS) receiver.pausedUntil = now() + retryAfterMs(attempt);
    if (receiver.failures >= RESTS_AFTER)
      receiver.restsUntil = now() + (REST_MS[receiver.failures - RESTS_AFTER] ?? REST_MS.at(-1) ?? 0);
    if (attempt.failure === 'certificate') {
      const host = new URL(decryptTarget(secretBox, webhook)?.url ?? '').host;
      const { reason = '' } = attempt;
      await events.emit('webhookCertificateFailed', { site, webhookId: String(webhook._id), host, reason });
    }
    if (!(await noteFailing(site, webhook, now()))) return;
    await events.emit('webhookSwitchedOff', { site, reason: 'failing' });
    await events.emit('noticesChanged', { siteId: site._id.toHexString() });
    await mailSwitchedOff(mail, site, webhook);
  }

  async function noteSuccess({ site, webhook }: Hooked, receiver: Receiver): Promise<void> {
    const wasDown = receiver.failures >= RESTS_AFTER;
    receiver.failures = 0;
    receiver.restsUntil = 0;
    await noteWell(site, webhook);
    if (wasDown) await queue.retryNow(webhook._id.toHexString());
    if (webhook.failingSince) await events.emit('webhookRecovered', { webhookId: String(webhook._id) });
  }

  async function attemptOf(
    site: SiteDoc,
    webhook: WebhookDoc,
    delivery: Subject & { _id: string },
    answerMaxMs?: number,
  ): Promise<Attempt | null> {
    const payload = await payloadOf(delivery, site, settings.publicUrl);
    if (!payload) return null;
    const target = decryptTarget(secretBox, webhook);
    if (!target) return { failure: 'secret' };
    return poster.post({
      ...requestOf(webhook, target, payload, { id: delivery._id, now: now() }),
      ...(answerMaxMs && { answerMaxMs }),
    });
  }

  return {
    start: queue.start,
    isAllowed,
    wake: queue.wake,
    async retry(webhookId) {
      receivers.delete(webhookId);
      await queue.retryNow(webhookId);
    },
    attempt: attemptOf,
    async stop() {
      const stopped = queue.stop();
      poster.stop();
      await stopped;
    },
  };
}

/** A site with one of its webhooks. */
interface Hooked {
  site: SiteDoc;
  webhook: WebhookDoc;
}

/** The webhook of a delivery, which may be newer than what this node remembers of the site; null: it is gone. */
async function hookOf({ site: siteId, webhook: id }: DeliveryDoc): Promise<Hooked | null> {
  const of = (site: SiteDoc | null) => {
    const webhook = site?.webhooks?.find(({ _id }) => _id.equals(id));
    return site && webhook ? { site, webhook } : null;
  };
  return (
    of(await liveSite(siteId.toHexString())) ??
    of(await SiteModel.findOne({ _id: siteId, deletedAt: null }).lean<SiteDoc>())
  );
}

/** How long a receiver has asked to wait, in milliseconds. */
const retryAfterMs = ({ retryAfterS = 0 }: Attempt) => Math.min(retryAfterS, RETRY_AFTER_MAX_S) * SECOND_MS;

/** The request that delivers an event to a webhook. */
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
