import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'socket.io';
import { VISITOR_NAMESPACE } from '#contract';
import {
  type InputSchema,
  invalid,
  type Limits,
  sentence,
  tooMany,
  unavailable,
  validate,
  whenClosed,
} from '#platform/http';
import { createLimiter } from '#platform/work';
import { newestState } from '../actions.ts';
import type { PolledEvent, VisitorChat, VisitorEvents, VisitorPoll, VisitorRequestBody } from '../contract.ts';
import type { WidgetAccess } from '../guards.ts';
import type { VisitorDoc } from '../model.ts';

/** Events that come within this time after the first one are in the same answer. */
const TOGETHER_MS = 10;
/** How long a client waits that was refused because its address has too many connections, in seconds. */
const CROWDED_RETRY_S = 5;
/** How many large answers of a visitor wait for the one before them to be read, and how long, in milliseconds. */
const WAITING_MAX = 20;
const TURN_MAX_MS = 10_000;

/** The start of Socket.IO's packets for the namespace. */
const CONNECT = `0${VISITOR_NAMESPACE},`;
const EVENT = `2${VISITOR_NAMESPACE},`;
const REFUSAL = `4${VISITOR_NAMESPACE},`;

type Handler = (ask: never, access: WidgetAccess) => Promise<object>;

/** Widgets without a WebSocket: every call may go to another node, because a node remembers nothing between two calls. */
export interface LongPolls {
  /** Lets polls hear what sockets hear. @param holdMs how long a poll waits for an event */
  attach(io: Server, holdMs: number): void;
  /** Makes an event of the widget's socket available to `request`. */
  on(event: string, rules: InputSchema, handler: Handler, options: { large: boolean }): void;
  /** Handles an event of the widget's socket that came over HTTP. @returns the acknowledgement's data. @throws AppError */
  request(res: ServerResponse, body: VisitorRequestBody, access: WidgetAccess): Promise<Record<string, unknown>>;
  /**
   * Waits for events.
   * @param token the visitor's token @param at the `at` of the client's last poll @param speaks the widget's language
   * @throws AppError 429, 503
   */
  poll(call: { req: IncomingMessage; res: ServerResponse }, ask: PollAsk): Promise<VisitorPoll>;
}

interface PollAsk {
  access: WidgetAccess;
  token: string;
  at?: string | undefined;
  speaks?: string | undefined;
}

/**
 * A poll as Socket.IO sees it: a connection that collects what is sent. So a poll has the rooms, the presence, the limits and the
 * endings of any socket of the visitor, for as long as it is open.
 */
class PollConnection extends EventEmitter {
  readonly id = randomUUID();
  readonly protocol = 4;
  readonly transport = { name: 'poll', writable: true };
  readonly events: PolledEvent[] = [];
  readonly request: IncomingMessage;
  readyState: 'open' | 'closed' = 'open';

  constructor(request: IncomingMessage) {
    super();
    this.request = Object.assign(request, { _query: {} });
  }

  get remoteAddress(): string | undefined {
    return this.request.socket.remoteAddress;
  }

  /** Called by Socket.IO with each packet for the client. */
  write(packet: string): void {
    if (packet.startsWith(REFUSAL)) this.close();
    if (!packet.startsWith(EVENT)) return;
    this.events.push(JSON.parse(packet.slice(EVENT.length)));
    this.emit('heard');
  }

  close(): void {
    if (this.readyState === 'closed') return;
    this.readyState = 'closed';
    this.emit('close', 'transport close');
    this.emit('heard');
  }
}

/** What a visitor's page knows of its conversation; a poll that finds another one answers that something was missed. */
interface PageState {
  chat: Pick<VisitorChat, '_id' | 'status' | 'agent' | 'receipts' | 'assistant'> | null;
  /** Of the newest message. */
  seq: number;
  /** Of the newest change of a message. */
  lastEdit: number;
  availability: Parameters<VisitorEvents['availability']>[0];
}

/** Creates the long polls of one server. */
export function createLongPolls(limits: Pick<Limits, 'take' | 'refund'>): LongPolls {
  const handlers = new Map<string, { rules: InputSchema; handler: Handler; large: boolean }>();
  /** As on a socket, a visitor's large answers are made one at a time, each after the last one was read. */
  const turns = createLimiter(Number.POSITIVE_INFINITY, {
    waitMaxMs: TURN_MAX_MS,
    waitingMax: WAITING_MAX,
    refused: () => tooMany(1),
  });
  let io: Server | undefined;
  let holdMs = 0;

  /** Connects to the namespace, and waits until the connection is in its rooms: then the availability is told. */
  async function open(connection: PollConnection, auth: object): Promise<void> {
    const engine = io?.engine;
    if (!engine) throw unavailable();
    let isAllowed = false;
    engine.opts.allowRequest?.(connection.request, (_, allowed) => {
      isAllowed = allowed;
    });
    if (!isAllowed) throw tooMany(CROWDED_RETRY_S);
    // In the same turn as the question: calls that come together would all be allowed before one of them counts.
    engine.emit('connection', connection as unknown as Socket['conn']);
    connection.emit('data', CONNECT + JSON.stringify(auth));
    if (connection.readyState === 'open' && connection.events.length === 0) await once(connection, 'heard');
    if (connection.events.length === 0) throw unavailable();
  }

  async function countMissed({ visitor, address }: WidgetAccess): Promise<void> {
    await limits.take('missedPollsPerVisitor', visitor._id.toHexString());
    await limits.take('missedPollsPerAddress', address);
  }

  async function takeBackMissed({ visitor, address }: WidgetAccess): Promise<void> {
    await limits.refund('missedPollsPerVisitor', visitor._id.toHexString());
    await limits.refund('missedPollsPerAddress', address);
  }

  async function turnOf(res: ServerResponse, { _id }: VisitorDoc): Promise<void> {
    const over = new AbortController();
    whenClosed(res, () => over.abort());
    const leave = await turns.take(_id.toHexString(), over.signal);
    if (over.signal.aborted) leave();
    else over.signal.addEventListener('abort', leave);
  }

  async function hold(connection: PollConnection): Promise<void> {
    if (connection.readyState === 'closed' || connection.events.some(([name]) => name !== 'availability')) return;
    const late = AbortSignal.timeout(holdMs);
    await once(connection, 'heard', { signal: late }).catch(() => {});
    if (!late.aborted && connection.readyState === 'open')
      await new Promise((together) => setTimeout(together, TOGETHER_MS));
  }

  return {
    attach(server, ms) {
      io = server;
      holdMs = ms;
    },
    on(event, rules, handler, { large }) {
      handlers.set(event, { rules, handler, large });
    },
    async request(res, { event, ask }, access) {
      const known = handlers.get(event);
      if (!known) throw invalid([{ msg: sentence('There is no such event.'), path: 'event' }]);
      if (known.large) await turnOf(res, access.visitor);
      return { ...(await known.handler((await validate(known.rules, ask)) as never, access)) };
    },
    async poll({ req, res }, { access, token, at, speaks }) {
      const connection = new PollConnection(req);
      const close = () => connection.close();
      whenClosed(res, close);
      // Counted before the work, and taken back from a poll that waits.
      await countMissed(access);
      try {
        await open(connection, { visitorToken: token, speaks });
        const availability = availabilityIn(connection.events);
        const known: PageState = { ...(await newestState(access.visitor)), availability };
        const missed = digest(known) !== at;
        if (!missed) {
          await takeBackMissed(access);
          await hold(connection);
        }
        const { events } = connection;
        return { at: digest(events.reduce(learn, known)), missed, events };
      } finally {
        close();
      }
    },
  };
}

function availabilityIn(events: PolledEvent[]): PageState['availability'] {
  const [, told] = events.findLast(([name]) => name === 'availability') ?? [];
  return (told as PageState['availability'] | undefined) ?? { online: false };
}

/** What a page knows after an event. Events that change nothing of it are left out. */
function learn(known: PageState, [name, payload]: PolledEvent): PageState {
  const lesson = LESSONS[name] as ((known: PageState, payload: unknown) => PageState) | undefined;
  return lesson?.(known, payload) ?? known;
}

const LESSONS: {
  [Name in keyof VisitorEvents]?: (known: PageState, payload: Parameters<VisitorEvents[Name]>[0]) => PageState;
} = {
  new_message: (known, { message }) => ({ ...known, seq: message.seq }),
  message_changed: (known, { message }) => ({ ...known, lastEdit: message.edit ?? known.lastEdit }),
  receipts: (known, { chatId, delivered, read }) => change(known, chatId, { receipts: { delivered, read } }),
  chat_claimed: (known, { chatId, agent }) => change(known, chatId, { agent, status: 'active' }),
  chat_handed_back: (known, { chatId }) => change(known, chatId, { agent: null, status: 'waiting' }),
  chat_closed: (known, { chatId }) => change(known, chatId, { status: 'closed' }),
  assistant_changed: (known, { chatId, assistant }) => change(known, chatId, { assistant }),
  availability: (known, availability) => ({ ...known, availability }),
};

function change(known: PageState, chatId: string, more: Partial<NonNullable<PageState['chat']>>): PageState {
  return known.chat?._id === chatId ? { ...known, chat: { ...known.chat, ...more } } : known;
}

function digest({ chat, seq, lastEdit, availability }: PageState): string {
  const { _id, status, agent, receipts, assistant } = chat ?? {};
  const text = JSON.stringify([
    _id,
    status,
    agent?.name,
    agent?.avatar,
    receipts?.delivered,
    receipts?.read,
    Boolean(assistant),
    assistant?.run,
    seq,
    lastEdit,
    availability.online,
    availability.opensAt,
    availability.departments,
  ]);
  return createHash('sha256').update(text).digest('base64url');
}
