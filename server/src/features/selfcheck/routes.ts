import type { Request, Router } from 'express';
import { type Model, ModelError, modelFailure } from '#features/assistant';
import type { Caller, Sessions, SignedInGuard } from '#features/auth';
import type { MailIn } from '#features/mailin';
import { ProgressModel } from '#features/search';
import { installationView, sitesOf } from '#features/sites';
import type { Disk } from '#features/usage';
import { listNodes, type OwnNode } from '#platform/cluster';
import { conflict, endpoints, forbidden, type Limits, notFound, sentence } from '#platform/http';
import type { Mail } from '#platform/mail';
import { type Delivery, devicesOf, type Notice, type Push } from '#platform/push';
import type { ModelTest, SelfCheck, SelfCheckApi } from './contract.ts';

const MARK = 'self-check';
const QUESTION = 'Which day comes after Monday? Answer with one word.';
/** Models that think do so within it. */
const ANSWER_TOKENS = 1_000;
const ANSWER_MAX_LENGTH = 200;

export interface CheckDeps {
  node: OwnNode;
  mail: Mail;
  storage: { disk(): Promise<Disk | null> };
  /** null: there is none. */
  model: Model | null;
  /** The origin under which people reach the product; null: the one that the browser sends. */
  publicUrl: string | null;
  now: () => number;
}

/** Checks everything on the server's side that a dashboard needs. */
async function selfCheck(
  { node, mail, publicUrl, storage, model, now }: CheckDeps,
  caller: Caller,
  req: Request,
): Promise<SelfCheck> {
  // Whoever may sign up can ask: what the machines are called and how full they are is for those who run them.
  const isAdmin = caller.user.role === 'parley_admin';
  const [devices, writable, disk, nodes, sites] = await Promise.all([
    devicesOf(caller.user._id),
    isWritable(now()),
    isAdmin ? storage.disk().catch(() => null) : null,
    isAdmin ? listNodes(node) : [],
    sitesOf(caller),
  ]);
  return {
    connection: connectionOf(req, publicUrl),
    mail: { configured: mail.enabled },
    push: { devices: devices.length },
    storage: { writable, ...(isAdmin && { percentFull: disk && Math.floor((disk.used / disk.total) * 100) }) },
    nodes,
    ...(isAdmin && model && { model: { name: model.name, host: model.host } }),
    sites: sites.map((site) => {
      const { _id, name, domain, widgetEnabled } = site;
      return { _id: _id.toHexString(), name, domain, widgetEnabled, installation: installationView(site) };
    }),
  };
}

/** How the request reached the server. `req.ips` holds forwarded addresses of trusted proxies only. */
function connectionOf(req: Request, publicUrl: string | null): SelfCheck['connection'] {
  const forwarded = req.get('x-forwarded-for') !== undefined;
  return {
    ip: req.ip ?? '',
    https: req.secure,
    host: req.host,
    isPublicUrl: publicUrl === null ? null : `${req.protocol}://${req.host}` === publicUrl,
    proxy: forwarded ? (req.ips.length > 0 ? 'trusted' : 'ignored') : 'none',
  };
}

/** Whether a write becomes durable. Reading would not show it: a full disk can still be read. */
async function isWritable(at: number): Promise<boolean> {
  const written = ProgressModel.updateOne({ _id: MARK }, { $set: { at: new Date(at) } }, { upsert: true });
  return written.then(
    () => true,
    () => false,
  );
}

/** @throws AppError 502 with the reason why no answer came */
async function askModel(model: Model): Promise<ModelTest> {
  try {
    const { text, usage, ms } = await model.complete(null, [{ role: 'user', content: QUESTION }], {
      maxTokens: ANSWER_TOKENS,
    });
    const answer = [...text.trim()].slice(0, ANSWER_MAX_LENGTH).join('');
    return { answer, ms, tokens: usage.prompt + usage.completion, isEstimated: usage.isEstimated };
  } catch (error) {
    throw error instanceof ModelError ? modelFailure(error) : error;
  }
}

const TEST_NOTICE: Notice = {
  title: sentence('Parley'),
  body: sentence('Push notifications work on this device.'),
  preview: null,
  chatId: null,
};

interface SelfCheckDeps extends CheckDeps {
  signedIn: SignedInGuard;
  sessions: Sessions;
  limits: Limits;
  push: Push;
  /** null: answers to mails do not come in. */
  mailIn: MailIn | null;
}

/** The routes of the self-check. */
export function selfCheckRoutes(deps: SelfCheckDeps): Router {
  const { router, on } = endpoints<SelfCheckApi>();
  const { signedIn: authenticate, sessions, limits, push, model, mail, mailIn } = deps;

  on('GET /self-check', { authenticate }, async ({ caller, req }) => ({
    data: await selfCheck(deps, caller, req),
  }));

  on('POST /self-check/push', { authenticate }, async ({ caller: { user } }) => {
    await limits.take('selfCheckPerAccount', `push:${user._id}`);
    const living = await sessions.list(user);
    const to = { user: user._id, sessions: living.map(({ _id }) => _id) };
    const deliveries = await push.send(to, TEST_NOTICE, { tries: 1 });
    const count = (outcome: Delivery) => deliveries.filter((delivery) => delivery === outcome).length;
    return { data: { sent: count('sent'), gone: count('gone'), failed: count('failed') } };
  });

  on('POST /self-check/model', { authenticate }, async ({ caller: { user } }) => {
    if (user.role !== 'parley_admin') throw forbidden();
    if (!model) return { data: { test: null } };
    await limits.take('selfCheckPerAccount', `model:${user._id}`);
    return { data: { test: await askModel(model) } };
  });

  on('POST /self-check/mail-in', { authenticate }, async ({ caller: { user } }) => {
    if (user.role !== 'parley_admin') throw forbidden();
    if (!mailIn) throw conflict('MAIL_IN_OFF', sentence('Answers by mail do not come in: MAIL_IN_URL is not set.'));
    await limits.take('selfCheckPerAccount', `mail-in:${user._id}`);
    return { data: { check: await mailIn.checks.begin(mail, user.language) } };
  });

  on('GET /self-check/mail-in/:checkId', { authenticate }, async ({ caller: { user }, params }) => {
    if (user.role !== 'parley_admin') throw forbidden();
    const check = await mailIn?.checks.find(params.checkId);
    if (!check) throw notFound('check');
    return { data: { check } };
  });

  return router;
}
