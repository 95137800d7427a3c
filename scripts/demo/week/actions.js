import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEAM, VISITORS } from './people.js';
import { GREETING } from './setUp.js';

const ANSWER_LOOK_MS = 20;
const DAY_MS = 86_400_000;
const PAGES = {
  home: { path: '/', title: 'Harbour Lanterns' },
  pier: { path: '/lanterns/pier', title: 'The Pier' },
  net: { path: '/lanterns/net', title: 'The Net' },
  lighthouse: { path: '/lanterns/lighthouse', title: 'The Lighthouse' },
  delivery: { path: '/help/delivery', title: 'When will my order arrive?' },
  returns: { path: '/help/returns', title: 'Send something back' },
  gifts: { path: '/help/gifts', title: 'Send a lantern as a gift' },
  'change-order': { path: '/help/change-order', title: 'Change or cancel an order' },
  clean: { path: '/help/clean', title: 'Clean a lantern' },
  'broken-glass': { path: '/help/broken-glass', title: 'The glass arrived broken' },
  'spare-parts': { path: '/help/spare-parts', title: 'Spare glass, wicks and handles' },
  'candles-or-led': { path: '/help/candles-or-led', title: 'Candle, oil or LED?' },
};

/** What the people of the week do, as calls of the API. @param now when the week ends, in milliseconds */
export function createActions({ call, team, site, shopUrl, now }) {
  const widget = `/widget/${site.widgetCode}`;
  /** The tokens of the visitors who were here, by their keys. */
  const tokens = new Map();
  const underWay = [];
  let articles;

  /** For calls that are answered after a while, as the server waits for more to write at once, and whose answer nothing needs. */
  function callUnawaited(answer) {
    // `allDone` hears of a failure. Until then, one would end the process, with Ctrl-C before it has cleaned up.
    answer.catch(() => {});
    underWay.push(answer);
  }

  /** A chat that has not begun: its first line begins it. */
  const beginChat = ({ lines, ...about }) => ({
    ...about,
    id: null,
    lastSeq: 0,
    readSeq: 0,
    claimer: null,
    lastOwn: null,
  });

  const pageOf = (name) => ({ url: `${shopUrl}${PAGES[name].path}`, title: PAGES[name].title });
  const asVisitor = (chat, method, path, body, type) => {
    const { userAgent } = VISITORS[chat.visitor];
    return call(method, `${widget}${path}`, body, { token: tokens.get(chat.visitor), userAgent, type });
  };
  const request = (chat, event, ask) => asVisitor(chat, 'POST', '/requests', { event, ask });
  const asMember = (name, method, path, body) => call(method, path, body, { token: team[name].token });

  async function openSession(chat) {
    const { userAgent, language, timeZone, attributes, ...identity } = VISITORS[chat.visitor];
    const visitorToken = tokens.get(chat.visitor);
    const body = { visitorToken, identity, attributes, language, timeZone, speaks: language, page: pageOf('home') };
    const session = await call('POST', `${widget}/session`, body, { userAgent });
    tokens.set(chat.visitor, session.visitorToken);
    if (chat.page !== 'home') await request(chat, 'page', pageOf(chat.page));
  }

  async function write(chat, content) {
    const body = { clientId: randomUUID(), content };
    if (chat.greeting) body.greeting = GREETING;
    if (chat.person) body.person = true;
    const { name, email } = VISITORS[chat.visitor];
    const sent = chat.offline
      ? await asVisitor(chat, 'POST', '/offline', { ...body, name, email })
      : await asVisitor(chat, 'POST', '/messages', body);
    heard(chat, sent);
    if (chat.assistant && !chat.claimer) await answered(chat);
  }

  function heard(chat, { message, chat: begun }) {
    if (begun) chat.id = begun._id;
    chat.lastSeq = message.seq;
    chat.lastOwn = message._id;
  }

  /** The assistant answers by itself. */
  async function answered(chat) {
    const asked = chat.lastSeq;
    while (chat.lastSeq === asked) {
      await sleep(ANSWER_LOOK_MS);
      const { chat: row } = await asMember('Mara', 'GET', `/chats/${chat.id}`);
      chat.lastSeq = row.lastSeq;
    }
  }

  const ofVisitor = {
    async file(chat, name) {
      const bytes = readFileSync(join(import.meta.dirname, name));
      const query = new URLSearchParams({ name, clientId: randomUUID() });
      heard(chat, await asVisitor(chat, 'POST', `/files?${query}`, bytes, 'image/png'));
    },
    edit: (chat, content) => request(chat, 'edit_message', { chatId: chat.id, messageId: chat.lastOwn, content }),
    delete: (chat) => request(chat, 'delete_message', { chatId: chat.id, messageId: chat.lastOwn }),
    close: (chat) => request(chat, 'close_chat', { chatId: chat.id }),
    rate: (chat, score, { comment }) => asVisitor(chat, 'POST', '/rating', { chatId: chat.id, score, comment }),
    wantPerson: (chat) => request(chat, 'want_person', { chatId: chat.id }),
    answerHelped: (chat, helped) => request(chat, 'answer_helped', { chatId: chat.id, seq: chat.lastSeq, helped }),
  };

  const ofMember = {
    async claim(chat, name) {
      chat.claimer = name;
      await asMember(name, 'POST', `/chats/${chat.id}/claim`);
    },
    async transfer(chat, name, to) {
      chat.claimer = to;
      await asMember(name, 'POST', `/chats/${chat.id}/transfer`, { userId: team[to].id });
    },
    note(chat, name, content) {
      const mentioned = Object.keys(TEAM).filter((key) => content.includes(`@${TEAM[key].name}`));
      const mentions = mentioned.map((key) => team[key].id);
      return asMember(name, 'POST', `/chats/${chat.id}/notes`, { content, mentions });
    },
    tags: (chat, name, tags) => asMember(name, 'PUT', `/chats/${chat.id}/tags`, { tags }),
    close: (chat, name) => asMember(name, 'POST', `/chats/${chat.id}/close`),
    snooze(chat, name, days) {
      const until = new Date(new Date(now + days * DAY_MS).setHours(9, 0, 0, 0)).toISOString();
      return asMember(name, 'PUT', `/chats/${chat.id}/snooze`, { until });
    },
    async block(chat, name) {
      const { chat: row } = await asMember(name, 'GET', `/chats/${chat.id}`);
      await asMember(name, 'POST', `/visitors/${row.visitorId}/block`);
    },
  };

  async function answer(chat, name, content) {
    // Again each time: while its claimer is not online, the server may have handed the chat back.
    await ofMember.claim(chat, name);
    heard(chat, await asMember(name, 'POST', `/chats/${chat.id}/messages`, { content, clientId: randomUUID() }));
    chat.readSeq = chat.lastSeq;
  }

  /** One line of a chat. */
  async function act(chat, who, what) {
    const [[action, value]] = typeof what === 'string' ? [['say', what]] : Object.entries(what);
    if (who !== 'visitor') {
      if (chat.readSeq !== chat.lastSeq) {
        chat.readSeq = chat.lastSeq;
        await asMember(who, 'POST', `/chats/${chat.id}/read`, { seq: chat.lastSeq });
      }
      if (action === 'say') return answer(chat, who, value);
      return ofMember[action](chat, who, value);
    }
    if (!chat.id) await openSession(chat);
    else if (chat.lastSeq > 0) callUnawaited(request(chat, 'read', { chatId: chat.id, seq: chat.lastSeq }));
    if (action === 'say') return write(chat, value);
    return ofVisitor[action](chat, value, what);
  }

  /** Lets the assistant answer visitors, or only suggest answers to the team. */
  async function setAssistant(step) {
    const { assistant } = await asMember('Mara', 'GET', `/sites/${site._id}/assistant`);
    const settings = { step, when: 'offline', name: 'Lantern Assistant', rev: assistant.rev };
    await asMember('Mara', 'PATCH', `/sites/${site._id}/assistant`, settings);
  }

  async function readArticle({ article, helped, comment, search }) {
    if (search) return call('GET', `${widget}/answers?${new URLSearchParams({ q: search, lang: 'en', all: 'yes' })}`);
    articles ??= (await asMember('Mara', 'GET', `/sites/${site._id}/articles`)).articles;
    const { _id } = articles.find(({ texts }) => texts.en.title === PAGES[article].title);
    await call('GET', `${widget}/articles/${_id}?lang=en`);
    await call('POST', `${widget}/articles/${_id}/feedback`, { lang: 'en', helped });
    if (comment) await call('POST', `${widget}/articles/${_id}/feedback`, { lang: 'en', comment });
  }

  async function sortQuestions(kept) {
    const path = `/sites/${site._id}/articles/questions`;
    const { questions } = await asMember('Mara', 'GET', path);
    for (const { _id, question } of questions)
      if (!kept.includes(question)) await asMember('Mara', 'DELETE', `${path}/${_id}`);
  }

  return { act, beginChat, setAssistant, readArticle, sortQuestions, allDone: () => Promise.all(underWay) };
}
