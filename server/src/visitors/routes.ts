import type { RequestHandler, Router } from 'express';
import { messageView } from '../chats/view.ts';
import { endpoints } from '../http/endpoint.ts';
import type { Limits } from '../http/limits.ts';
import type { Presence } from '../presence/presence.ts';
import { anyPage, visitorGuard, visitorSite, widgetSite } from './access.ts';
import { openSession, sendAsVisitor } from './actions.ts';
import { type VisitorsApi, WIDGET_CONFIG_MAX_AGE_S } from './contract.ts';
import { sessionRules, visitorMessageRules } from './rules.ts';
import { newestThread, visitorChatView } from './thread.ts';
import { configView, visitorView } from './view.ts';

const PREFLIGHT_MAX_AGE_S = 86_400;

/** Pages of any origin may call the widget's part of the API: it knows no cookies, only the token in a header. */
export const widgetCors: RequestHandler = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS') return next();
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  res.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_S);
  res.status(204).end();
};

/** The calls of the widget. */
export function visitorRoutes({ presence, limits }: { presence: Presence; limits: Limits }): Router {
  const { router, on } = endpoints<VisitorsApi>();

  on('GET /widget/:widgetCode', { who: anyPage, may: siteOfPage }, async ({ access, res }) => {
    res.setHeader('Cache-Control', `public, max-age=${WIDGET_CONFIG_MAX_AGE_S}`);
    return { data: configView(access, presence) };
  });

  on(
    'POST /widget/:widgetCode/session',
    { who: anyPage, may: siteOfPage, body: sessionRules },
    async ({ access, body, req }) => {
      const browser = { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? '' };
      const { visitor, visitorToken } = await openSession(access, body, browser, limits);
      return { data: { visitorToken, visitor: visitorView(visitor), ...(await newestThread(visitor._id)) } };
    },
  );

  on(
    'POST /widget/:widgetCode/messages',
    {
      who: visitorGuard,
      may: ({ visitor, origin }, { widgetCode }) => visitorSite(visitor, widgetCode, origin),
      body: visitorMessageRules,
    },
    async ({ access, body: { clientId, content } }) => {
      await limits.take('visitorMessages', access.visitor._id.toHexString());
      const { message, chat, isNew } = await sendAsVisitor(access, { clientId, content });
      const data = { message: messageView(message), chat: await visitorChatView(chat) };
      return { status: isNew ? 201 : 200, data };
    },
  );

  return router;
}

const siteOfPage = ({ origin }: { origin: string | undefined }, { widgetCode }: { widgetCode: string }) =>
  widgetSite(widgetCode, origin);
