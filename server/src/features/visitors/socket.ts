import { VISITOR_NAMESPACE } from '#contract';
import {
  type Assistance,
  chatEventSchema,
  closeChat,
  messageView,
  moveReceipt,
  openChatOf,
  readOpenChatAhead,
  receiptSchema,
  sendAsVisitor,
  storedText,
  type Typing,
} from '#features/chats';
import type { Presence } from '#features/presence';
import { liveSite } from '#features/sites';
import { toWidgetLanguage } from '#features/sites/texts/contract';
import type { Usage } from '#features/usage';
import { rooms, type VisitorNamespace, type VisitorSocket, type VisitorSocketData } from '#platform/events';
import {
  AppError,
  addressOf,
  catalogue,
  handleSocketEvent,
  type InputSchema,
  inTurn,
  type Limits,
  type Metrics,
  type Report,
  unauthorized,
} from '#platform/http';
import type { Ack } from '#platform/http/contract';
import {
  changeAsVisitor,
  changesAfter,
  newestThread,
  ownChat,
  rateAsVisitor,
  threadAfter,
  threadBefore,
} from './actions.ts';
import { availabilityForVisitors } from './availability.ts';
import { configChangedLately } from './broadcast.ts';
import type { VisitorRequests } from './contract.ts';
import {
  countCall,
  countMessage,
  hashToken,
  ownSite,
  refuseBlocked,
  visitorByToken,
  visitorWithToken,
  type WidgetAccess,
} from './guards.ts';
import { visitPage } from './people/people.ts';
import {
  pageSchema,
  ratingSchema,
  visitorDeleteSchema,
  visitorEditSchema,
  visitorMessageSchema,
  visitorSyncSchema,
  visitorTypingSchema,
} from './schemas.ts';
import type { LongPolls } from './session/longPoll.ts';
import { type ConfigDeps, visitorChatView, widgetConfig } from './view.ts';

type AskOf<Event extends keyof VisitorRequests> = Parameters<VisitorRequests[Event]>[0];
type AckOf<Event extends keyof VisitorRequests> =
  Parameters<Parameters<VisitorRequests[Event]>[1]>[0] extends Ack<infer Data> ? Omit<Data, 'ok'> : never;

/** How the events of a kind are handled. */
interface EventOptions {
  /**
   * The answer has pages of messages; such requests of a socket run one at a time, each after the last answer was received.
   */
  large?: boolean;
  /** The event needs the visitor's open chat, which is read together with the visitor. */
  needsChat?: boolean;
}

/** The widgets' sockets as features see them: access is checked again for every event. */
export interface VisitorRouter {
  on<Event extends keyof VisitorRequests>(
    event: Event,
    rules: InputSchema,
    handler: (ask: AskOf<Event>, access: WidgetAccess) => Promise<AckOf<Event>>,
    options?: EventOptions,
  ): void;
}

export interface VisitorGatewayDeps extends ConfigDeps {
  limits: Limits;
  report: Report;
  metrics: Pick<Metrics, 'acked'>;
  longPolls: LongPolls;
}

/** Accepts only sockets with a valid visitor token; the others get the reason as the error's code. */
export function guardVisitors(namespace: VisitorNamespace, limits: Limits): void {
  namespace.use(async (socket, next) => {
    try {
      const { visitor, site } = await enter(socket, limits);
      const visitorId = visitor._id.toHexString();
      const tokenHash = hashToken(socket.handshake.auth.visitorToken);
      // Widgets of the release before do not say it: what the visitor's last page has shown.
      const language = toWidgetLanguage(`${socket.handshake.auth.speaks ?? visitor.speaks}`);
      const siteId = site._id.toHexString();
      Object.assign(socket.data, { visitorId, siteId, tokenHash, language } satisfies VisitorSocketData);
      next();
    } catch (error) {
      next(new Error(error instanceof AppError ? error.code : 'UNAVAILABLE'));
    }
  });
}

async function enter(socket: VisitorSocket, limits: Limits): Promise<WidgetAccess> {
  const { auth, headers } = socket.handshake;
  const address = addressOf(socket.conn);
  const visitor = await visitorByToken(auth.visitorToken, { address, limits });
  if (!visitor) throw unauthorized();
  return { ...(await ownSite(visitor, headers.origin)), address };
}

/** Checks again, with each event, whose socket it is. @throws AppError 401, 403, 404 */
async function accessOf({ id, conn, data, handshake }: VisitorSocket): Promise<WidgetAccess> {
  // The site of a token never changes, so both are read at the same time.
  const [visitor] = await Promise.all([visitorWithToken(data.visitorId, data.tokenHash), liveSite(data.siteId)]);
  if (!visitor) throw unauthorized();
  return { ...(await ownSite(visitor, handshake.headers.origin)), address: addressOf(conn), socketId: id };
}

/**
 * Joins a widget's socket to its rooms and sends what may have changed since the page loaded its config: whether a member is
 * available, and the config itself if it was changed lately. If its access ended meanwhile, it is disconnected at once: that event did not find it in any
 * room.
 */
async function join(namespace: VisitorNamespace, socket: VisitorSocket, around: VisitorGatewayDeps): Promise<void> {
  const { limits } = around;
  const { visitorId, siteId, language } = socket.data;
  await socket.join([rooms.visitor(visitorId), rooms.site(siteId), rooms.language(siteId, language)]);
  makeRoom(namespace, visitorId, limits);
  try {
    const { site } = await accessOf(socket);
    socket.emit('availability', availabilityForVisitors(site, around));
    // What changed after the page had loaded its config, and before the socket was in its room.
    if (configChangedLately(siteId))
      socket.emit('config_changed', { config: await widgetConfig(site, around, language) });
  } catch {
    socket.disconnect(true);
  }
}

/** Disconnects the visitor's oldest sockets beyond the limit: the newest tab is the one in use. */
function makeRoom(namespace: VisitorNamespace, visitorId: string, limits: Limits): void {
  const ids = [...(namespace.adapter.rooms.get(rooms.visitor(visitorId)) ?? [])];
  const tooMany = Math.max(0, ids.length - limits.max('socketsPerVisitor'));
  for (const id of ids.slice(0, tooMany)) {
    const socket = namespace.sockets.get(id);
    socket?.emit('gave_way');
    socket?.disconnect(true);
  }
}

/**
 * Creates the router of all widget sockets. Handlers are registered once, not for each socket: most visitors never send
 * anything, and should cost little memory.
 */
export function routeVisitorEvents(namespace: VisitorNamespace, deps: VisitorGatewayDeps): VisitorRouter {
  const { limits, report, metrics, longPolls } = deps;
  const listeners = new Map<string, (socket: VisitorSocket, args: unknown[]) => Promise<void>>();
  namespace.on('connection', (socket) => {
    void join(namespace, socket, deps);
    socket.onAny((event: string, ...args: unknown[]) => listeners.get(event)?.(socket, args));
  });
  return {
    on(event, rules, handler, { large = false, needsChat = false } = {}) {
      catalogue.visitorEvents.set(event, rules);
      longPolls.on(event, rules, handler, { large });
      const acked = (outcome: string) => metrics.acked(VISITOR_NAMESPACE, event, outcome);
      listeners.set(event, (socket, args) => {
        const admit = async () => {
          await countCall({ visitorId: socket.data.visitorId, address: addressOf(socket.conn) }, limits);
          if (needsChat) readOpenChatAhead(socket.data.visitorId);
          return accessOf(socket);
        };
        const turn = large ? (work: () => Promise<void>) => inTurn(socket.conn, work) : undefined;
        return handleSocketEvent({ admit, inTurn: turn, rules, handler, report, acked }, args);
      });
    },
  };
}

interface VisitorSocketDeps {
  limits: Limits;
  usage: Usage;
  assistance: Assistance;
  typing: Typing;
}

interface VisitorWelcomeDeps {
  presence: Presence;
  typing: Typing;
}

/** Counts the visitor as present for as long as the socket is connected. */
export function welcomeVisitor({ presence, typing }: VisitorWelcomeDeps, socket: VisitorSocket): void {
  const { visitorId, siteId } = socket.data;
  presence.visitorArrived(visitorId, siteId);
  socket.on('disconnect', () => {
    presence.visitorLeft(visitorId);
    typing.visitorLeft(visitorId);
  });
}

/** Registers the events of widgets. */
export function visitorSocket(router: VisitorRouter, { limits, usage, assistance, typing }: VisitorSocketDeps): void {
  router.on(
    'send_message',
    visitorMessageSchema,
    async ({ clientId, content, greeting, article, person, department }, access) => {
      await countMessage(access, limits);
      refuseBlocked(access.visitor);
      const { message, chat } = await sendAsVisitor(
        access,
        { clientId, content, greeting, article, person, department },
        { limits, usage, assistance },
      );
      return { message: await messageView(message), chat: await visitorChatView(chat) };
    },
    { needsChat: true },
  );

  for (const what of ['received', 'read'] as const) {
    router.on(what, receiptSchema, async ({ chatId, seq }, access) => {
      const chat = await ownChat(access, chatId);
      await moveReceipt({ chat, site: access.site }, 'visitor', what === 'read' ? 'read' : 'delivered', seq);
      return {};
    });
  }

  router.on('typing', visitorTypingSchema, async ({ isTyping, text }, { visitor, site, socketId }) => {
    refuseBlocked(visitor);
    const chat = await openChatOf(visitor._id);
    // Masked as what is stored is. What comes by polling is left out: a call for every second would be too much.
    const isShown = site.settings.typingPreview && socketId !== undefined && text !== undefined;
    const shown = isShown ? storedText(site, text) : undefined;
    if (chat) typing.report({ chat, userId: null, name: visitor.name }, isTyping, shown);
    return {};
  });

  router.on(
    'sync',
    visitorSyncSchema,
    async ({ chatId, afterSeq = 0, beforeSeq, afterEdit }, { visitor }) => {
      if (chatId === undefined) return newestThread(visitor);
      if (beforeSeq !== undefined) return threadBefore(visitor._id, chatId, beforeSeq);
      const thread = await threadAfter(visitor, chatId, afterSeq);
      return { ...thread, ...(await changesAfter(visitor, afterEdit)) };
    },
    { large: true },
  );

  router.on('edit_message', visitorEditSchema, async ({ content, edit, ...of }, access) => {
    await countMessage(access, limits);
    const change = { content, ...(edit !== undefined && { edit }) };
    return { message: await messageView(await changeAsVisitor(access, of, change, usage)) };
  });

  router.on('delete_message', visitorDeleteSchema, async (of, access) => {
    await countMessage(access, limits);
    return { message: await messageView(await changeAsVisitor(access, of, null, usage)) };
  });

  router.on('close_chat', chatEventSchema, async ({ chatId }, access) => {
    const chat = await ownChat(access, chatId);
    await closeChat({ chat, site: access.site }, { author: null, authorName: access.visitor.name });
    return {};
  });

  router.on('rate', ratingSchema, async (rating, access) => {
    await countMessage(access, limits);
    await rateAsVisitor(access, rating);
    return {};
  });

  router.on('page', pageSchema, async (page, access) => {
    await limits.take('pagesPerVisitor', access.visitor._id.toHexString());
    await limits.take('returnsPerAddress', access.address);
    await visitPage(access, page);
    return {};
  });
}
