import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, MessageChanges, VisitorChat, VisitorMessageBody, VisitorThread } from 'server/contract';
import { Server } from 'socket.io';
import type { StandIn } from './standin-state.ts';

export type { StandIn } from './standin-state.ts';

const CODE = 'corner-shop';
/** Messages in one answer to a request for earlier ones. */
const BACK_PAGE = 3;
const NO_RECEIPTS = { delivered: 0, read: 0 };

export async function startStandIn(): Promise<StandIn> {
  const http = createServer((request, response) => void answer(request, response));
  const io = new Server(http);
  await once(http.listen(0, '127.0.0.1'), 'listening');
  let chat: VisitorChat | null = null;
  const standIn: StandIn = {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    code: CODE,
    io,
    config: {
      widgetCode: CODE,
      name: 'Corner Shop',
      buttonText: 'Need help?',
      colors: '--fill:#06c;--ink:#fff',
      online: true,
      usualReplyMinutes: null,
      mail: true,
      logo: null,
      preChat: 'off',
      privacyUrl: null,
      visitorPages: false,
      customization: {
        color: '#0088ff',
        position: 'right',
        navbarTitle: 'Chat with us',
        welcomeMessage: 'Hello!',
        offlineMessage: 'Nobody is there.',
      },
    },
    messages: [],
    changed: [],
    receipts: [],
    status: 200,
    firewall: false,
    token: 'good',
    silent: false,
    refusal: null,
    full: false,
    newestOnly: Infinity,
    visitors: [],
    pages: [],
    told: [],
    resumed: [],
    held: null,
    known: null,
    email: null,
    online: (online) => void io.of('/visitor').emit('availability', { online }),
    heldErasure: null,
    heldFile: null,
    cutOff: 0,
    refused: null,
    calls: [],
    senders: [],
    asks: [],
    answers: {},
    bodies: {},
    say: (content) => void add({ sender: 'agent', senderName: 'Ana', content }),
    sayByRule(content) {
      const _id = randomUUID();
      add({ _id, clientId: _id, sender: 'agent', senderName: 'Corner Shop', content });
    },
    claim(agent) {
      if (!chat) throw new Error('Nobody has written.');
      chat = { ...chat, status: 'active', agent };
      io.of('/visitor').emit('chat_claimed', { chatId: chat._id, agent });
    },
    run(run) {
      if (!chat) throw new Error('Nobody has written.');
      chat.assistant = { name: '', ...standIn.config.assistant, run };
      io.of('/visitor').emit('assistant_changed', { chatId: chat._id, assistant: chat.assistant });
    },
    sentence(run, upTo, text) {
      io.of('/visitor').emit('assistant_text', { chatId: chat?._id, run, upTo, text });
    },
    answer(content, sources) {
      add({ sender: 'assistant', senderName: standIn.config.assistant?.name || null, content, sources });
    },
    handOver(content) {
      add({ sender: 'system', type: 'system', event: 'handed_over', content });
      chat = chat && { ...chat, assistant: null };
      io.of('/visitor').emit('assistant_changed', { chatId: chat?._id, assistant: null });
    },
    handBack() {
      if (!chat) throw new Error('Nobody has written.');
      chat = { ...chat, status: 'waiting', agent: null };
      io.of('/visitor').emit('chat_handed_back', { chatId: chat._id });
    },
    forget() {
      standIn.messages.length = 0;
      chat = null;
    },
    close() {
      add({ sender: 'system', type: 'system', event: 'closed', content: 'closed' });
      if (chat) chat.status = 'closed';
    },
    reopen(agent) {
      add({ sender: 'system', type: 'system', event: 'reopened', content: 'reopened' });
      standIn.claim(agent);
    },
    stop() {
      const closed = io.close();
      http.closeAllConnections();
      return closed;
    },
  };

  function add(part: Partial<Message> & { content: string }, person = false): Message {
    if (!chat || (chat.status === 'closed' && !part.sender)) {
      chat = { _id: randomUUID(), status: 'waiting', agent: null, receipts: NO_RECEIPTS, readSeq: 0, rating: null };
      if (!person && standIn.config.assistant) chat.assistant = standIn.config.assistant;
    }
    const chatId = chat._id;
    const message: Message = {
      _id: randomUUID(),
      chatId,
      seq: standIn.messages.filter((known) => known.chatId === chatId).length + 1,
      clientId: randomUUID(),
      sender: 'visitor',
      senderName: null,
      senderAvatar: null,
      file: null,
      type: 'text',
      text: part.content,
      event: null,
      timestamp: new Date().toISOString(),
      ...part,
    };
    standIn.messages.push(message);
    io.of('/visitor').emit('new_message', { message });
    return message;
  }

  function send({ clientId, content, greeting: id, person }: VisitorMessageBody) {
    const greeting = standIn.config.greetings?.find((each) => each.id === id)?.text;
    const known = standIn.messages.find((message) => message.clientId === clientId);
    return { message: known ?? add({ clientId, content, ...(greeting && { greeting }) }, person), chat };
  }

  function sendFile(query: URLSearchParams) {
    const name = query.get('name') ?? '';
    const file = { url: '/api/files/picture', name, size: 4, mime: 'image/png', width: 480, height: 240 };
    const message = add({ clientId: query.get('clientId') ?? '', content: name, type: 'file', file });
    return { message, chat };
  }

  const refused = () => ({ ok: false, code: standIn.refusal, message: 'No.', retryable: false });

  function changesAfter(edit = 0): MessageChanges {
    const numbers = standIn.changed.map((message) => message.edit ?? 0);
    const edited = standIn.changed.filter((message) => (message.edit ?? 0) > edit);
    return { edited, lastEdit: Math.max(0, ...numbers) };
  }

  function thread(messages: Message[]): VisitorThread {
    return { chat, messages, more: false, receipts: standIn.receipts };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/socket.io/')) return;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    if (request.method === 'OPTIONS') return void response.end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isFile = request.url?.includes('/files?');
    const body = chunks.length && !isFile ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    if (body.visitor || body.email) standIn.visitors.push(body.visitor ?? body);
    if (body.page) standIn.pages.push(body.page);
    const call = `${request.method} ${request.url?.replace(`/api/widget/${CODE}`, '').split('?')[0]}`;
    standIn.calls.push(call);
    const { identity, attributes, visitorToken } = body;
    if (call === 'POST /session') {
      standIn.told.push({ ...(identity && { identity }), ...(attributes && { attributes }) });
      standIn.resumed.push(visitorToken);
    }
    const isRefused = identity && standIn.refused !== null;
    response.statusCode = isRefused ? 422 : standIn.status;
    response.setHeader('Content-Type', 'application/json');
    if (standIn.firewall && call !== 'GET ') {
      response.statusCode = 403;
      response.end('<h1>Request blocked</h1>');
      return;
    }
    if (response.statusCode !== 200) {
      const code = isRefused ? standIn.refused : standIn.status === 404 ? 'SITE_NOT_FOUND' : 'UNAVAILABLE';
      response.end(JSON.stringify({ success: false, code, message: 'There is no such widget.' }));
      return;
    }
    if (call === 'DELETE /me') {
      if (request.headers.authorization !== `Bearer ${standIn.token}`) {
        response.statusCode = 401;
        response.end(JSON.stringify({ success: false, code: 'UNAUTHORIZED', message: 'Sign in first.' }));
        return;
      }
      standIn.forget();
      standIn.token = `after-${standIn.token}`;
      if (!standIn.silent) io.of('/visitor').emit('session_ended', { reason: 'erased' });
    }
    if (isFile) {
      await Promise.race([standIn.heldFile, once(response, 'close')]);
      if (response.destroyed) return void standIn.cutOff++;
    }
    const own = standIn.answers[call];
    if (own !== undefined) {
      standIn.bodies[call] = [...(standIn.bodies[call] ?? []), body];
      response.end(JSON.stringify(own ? { success: true, data: own } : { success: false, code: 'UNAVAILABLE' }));
      return;
    }
    const newest = thread(standIn.messages.filter(({ chatId }) => chatId === chat?._id).slice(-standIn.newestOnly));
    const data: Record<string, object> = {
      'GET ': standIn.config,
      'POST /transcript': {},
      'POST /greetings': {},
      'DELETE /me': {},
      'POST /session': {
        visitorToken: standIn.token,
        visitor: { _id: 'v', name: null, email: standIn.email, ...(standIn.known && { known: standIn.known }) },
        config: standIn.config,
        ...newest,
      },
    };
    if (isFile) data[call] = sendFile(new URL(request.url ?? '', standIn.origin).searchParams);
    const text = JSON.stringify({ success: true, data: data[call] ?? send(body) });
    if (call === 'POST /session') await standIn.held;
    if (call === 'DELETE /me') await standIn.heldErasure;
    response.end(text);
  }

  io.of('/visitor').use(({ handshake }, next) => {
    next(handshake.auth.visitorToken === standIn.token ? undefined : new Error('UNAUTHORIZED'));
  });
  io.of('/visitor').on('connection', (socket) => {
    socket.onAny((event, ask, ack) => {
      standIn.asks.push([event, ask]);
      if (event === 'want_person' && chat && !standIn.refusal) {
        chat = { ...chat, assistant: null };
        return ack({ ok: true, chat });
      }
      if (event === 'rate' && chat && !standIn.refusal) chat.rating = { comment: null, ...ask };
      if (event === 'send_message') {
        standIn.senders.push(socket.handshake.auth.visitorToken);
        if (standIn.refusal) ack(refused());
        else if (standIn.full)
          ack({ ok: false, code: 'STORAGE_FULL', message: 'No room left.', retryable: true, retryAfterMs: 30_000 });
        else if (!standIn.silent) ack({ ok: true, ...send(ask) });
      } else if (event === 'sync') {
        const { chatId, afterSeq, beforeSeq } = ask;
        const at = standIn.messages.findIndex(
          (known) => known.chatId === chatId && known.seq === (beforeSeq ?? afterSeq),
        );
        const from = Math.max(0, at - BACK_PAGE);
        if (beforeSeq) ack({ ok: true, ...thread(standIn.messages.slice(from, at)), more: from > 0 });
        else ack({ ok: true, ...thread(standIn.messages.slice(at + 1)), ...changesAfter(ask.afterEdit) });
      } else ack(standIn.refusal ? refused() : { ok: true });
    });
  });
  return standIn;
}
