import type { Request, RequestHandler, Router } from 'express';
import { bearer } from '#features/auth';
import { messageView, type Sent, sendAsVisitor, sendFile, uploadSchema } from '#features/chats';
import type { Installations } from '#features/sites';
import type { Usage } from '#features/usage';
import { type Pictures, receiveUpload } from '#platform/files';
import { addressKey, endpoints, type Limits } from '#platform/http';
import type { SecretBox } from '#platform/secrets';
import { newestThread, rateAsVisitor } from './actions.ts';
import { type VisitorMessageBody, type VisitorsApi, WIDGET_CONFIG_MAX_AGE_S } from './contract.ts';
import {
  anyPage,
  countFile,
  countMessage,
  createVisitorGuard,
  refuseBlocked,
  type VisitorCaller,
  visitorSite,
  type WidgetAccess,
  widgetSite,
} from './guards.ts';
import { languageOf, pageConfig } from './pageConfig.ts';
import { eraseVisitor, storeAnswers } from './people/people.ts';
import {
  configSchema,
  departmentField,
  greetingField,
  offlineSchema,
  pollSchema,
  ratingSchema,
  sessionSchema,
  visitorMessageSchema,
  visitorRequestSchema,
} from './schemas.ts';
import type { LongPolls } from './session/longPoll.ts';
import { openSession } from './session/session.ts';
import { askedVisitorView, type ConfigDeps, visitorChatView, widgetConfig } from './view.ts';

const PREFLIGHT_MAX_AGE_S = 86_400;

/**
 * CORS for the widget's part of the API: any origin is allowed, because authentication uses a token in a header and
 * never cookies.
 */
export const widgetCors: RequestHandler = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS') return next();
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  res.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_S);
  res.status(204).end();
};

interface VisitorRouteDeps extends ConfigDeps {
  limits: Limits;
  secretBox: SecretBox;
  usage: Usage;
  pictures: Pictures;
  installations: Installations;
  longPolls: LongPolls;
}

/** The calls of the widget. */
export function visitorRoutes({
  limits,
  secretBox,
  usage,
  pictures,
  installations,
  longPolls,
  ...around
}: VisitorRouteDeps): Router {
  const { router, on } = endpoints<VisitorsApi>();
  /** The plan that all calls of a visitor share: authentication, and the site of the token. */
  const visitorPlan = {
    authenticate: createVisitorGuard(limits),
    authorize: async (
      { visitor, origin, address }: VisitorCaller,
      { widgetCode }: { widgetCode: string },
    ): Promise<WidgetAccess> => ({ ...(await visitorSite(visitor, widgetCode, origin)), address }),
  };

  on(
    'GET /widget/:widgetCode',
    { authenticate: anyPage, authorize: siteOfPage, query: configSchema },
    async ({ access, query, req, res }) => {
      installations.seen(access, { ...pageOf(req), version: query.v });
      res.setHeader('Cache-Control', `max-age=${WIDGET_CONFIG_MAX_AGE_S}`);
      // Without a language in the address, it depends on the browser's.
      res.vary('Accept-Language');
      const language = languageOf(query, req);
      return { data: { ...(await widgetConfig(access, around, language)), ...pageConfig(query, language) } };
    },
  );

  on(
    'POST /widget/:widgetCode/session',
    { authenticate: anyPage, authorize: siteOfPage, body: sessionSchema },
    async ({ access, body, req }) => {
      installations.seen(access, { ...pageOf(req, body.page?.url), version: undefined });
      const browser = { address: addressKey(req.ip), userAgent: req.get('user-agent') ?? '' };
      const { visitor, visitorToken } = await openSession(access, body, browser, {
        limits,
        secretBox,
        now: around.now,
      });
      const [thread, config] = await Promise.all([newestThread(visitor), widgetConfig(access, around, body.speaks)]);
      return { data: { visitorToken, visitor: askedVisitorView(visitor, access, body.speaks), config, ...thread } };
    },
  );

  const sending = { limits, usage, assistance: around.assistance };
  const send = async (
    access: WidgetAccess,
    { clientId, content, greeting, article, person, department }: VisitorMessageBody,
  ) => sent(await sendAsVisitor(access, { clientId, content, greeting, article, person, department }, sending));

  on('POST /widget/:widgetCode/messages', { ...visitorPlan, body: visitorMessageSchema }, async ({ access, body }) => {
    await countMessage(access, limits);
    refuseBlocked(access.visitor);
    return send(access, body);
  });

  on('POST /widget/:widgetCode/offline', { ...visitorPlan, body: offlineSchema }, async ({ access, body }) => {
    refuseBlocked(access.visitor);
    await countMessage(access, limits);
    // Whoever leaves an address expects the answer of a person.
    return send({ ...access, ...(await storeAnswers(access, body)) }, { ...body, person: true });
  });

  on('POST /widget/:widgetCode/files', { ...visitorPlan, ...upload }, async ({ req, access, query }) => {
    refuseBlocked(access.visitor);
    await countFile(access, limits);
    return receiveUpload(req, async (received) => {
      const sender = { pool: 'visitors', key: access.address } as const;
      const from = { site: access.site, senderKey: `v:${access.visitor._id}`, query, sender };
      return sent(
        await sendFile(received, from, { pictures, usage }, (words) =>
          sendAsVisitor(access, { ...words, greeting: query.greeting, department: query.department }, sending),
        ),
      );
    });
  });

  on('POST /widget/:widgetCode/poll', { ...visitorPlan, body: pollSchema }, async ({ access, body, req, res }) => {
    return { data: await longPolls.poll({ req, res }, { access, token: bearer(req) ?? '', ...body }) };
  });

  on(
    'POST /widget/:widgetCode/requests',
    { ...visitorPlan, body: visitorRequestSchema },
    async ({ access, body, res }) => {
      return { data: await longPolls.request(res, body, access) };
    },
  );

  on('POST /widget/:widgetCode/rating', { ...visitorPlan, body: ratingSchema }, async ({ access, body }) => {
    await countMessage(access, limits);
    return { data: { chat: await visitorChatView(await rateAsVisitor(access, body)) } };
  });

  on('DELETE /widget/:widgetCode/me', visitorPlan, async ({ access }) => {
    await eraseVisitor(access, null);
    return { message: 'All your data was deleted', data: {} };
  });

  return router;
}

const upload = { query: { ...uploadSchema, greeting: greetingField, department: departmentField }, upload: true };

async function sent({ message, chat, isNew }: Sent) {
  const data = { message: await messageView(message), chat: await visitorChatView(chat) };
  return { status: isNew ? 201 : 200, data };
}

const pageOf = (req: Request, page = req.get('referer')) => ({ origin: req.get('origin'), page });

const siteOfPage = ({ origin }: { origin: string | undefined }, { widgetCode }: { widgetCode: string }) =>
  widgetSite(widgetCode, origin);
