import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { expect, vi } from 'vitest';
import type { World } from '../delivery/world.ts';
import { inDatabase } from '../harness/database.ts';
import { type Account, addMember } from '../harness/shop.ts';

/** All that is said begins with it. */
export const TALKER = 'A talker';
const TALKERS = 3;
const REOPENINGS_MAX = 4;
const STARS = 5;
const CONFLICT = '409';
/** Before each call, and each time that it is repeated. */
const PAUSE_MS = 200;
const SETTLED_TIMEOUT_MS = 120_000;

/** A chat as those who talked in it remember it. */
interface Remembered {
  /** What was acknowledged, in order. */
  said: string[];
  /** Each turn that was closed: who closed it, and the stars that it got. */
  turns: { agent: string; score: number }[];
}

/** People who talk over HTTP, in whole chats of several turns. */
export interface Talks {
  /** From now on every node keeps the turns: no call may be refused any more. */
  formerEnded(): void;
  /** Lets the calls under way end; throws unless what is stored is what was acknowledged. @returns the figures, in words */
  end(): Promise<string>;
}

/**
 * Has visitors ask, and two members in turn answer, close and open the chat again, until it is ended. Each call is repeated
 * with the same ids until it is acknowledged, as pages do, so every one counts once.
 * @param keepsTurns whether every node keeps, from the start, the turns of a chat that is opened again; those before took
 *   chats for open that another node had closed unheard, and refused to
 */
export async function talkInTurns(world: World, { keepsTurns = true } = {}): Promise<Talks> {
  const { api, site } = world;
  const members = [await addMember(world, 'Carl Unger', 'agent'), await addMember(world, 'Dora Lind', 'agent')];
  const params = { widgetCode: site.widgetCode };
  const chats = new Map<string, Remembered>();
  let isOver = false;
  let mayRefuse = !keepsTurns;
  let repeats = 0;
  let refusals = 0;

  async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
    for (;;) {
      await sleep(PAUSE_MS);
      try {
        return await call();
      } catch (error) {
        const status = error instanceof Error ? /^4\d\d(?= )/.exec(error.message)?.[0] : undefined;
        if (status !== undefined && !(mayRefuse && status === CONFLICT)) throw error;
        if (status === undefined) repeats++;
        else refusals++;
      }
    }
  }

  async function converse(name: string): Promise<void> {
    const visitor = { name, email: `${randomUUID()}@example.com` };
    const { visitorToken: token } = await insist(() =>
      api('POST /widget/:widgetCode/session', { params, body: { visitor } }),
    );
    const ask = async (content: string) => {
      const body = { clientId: randomUUID(), content };
      const { chat } = await insist(() => api('POST /widget/:widgetCode/messages', { token, params, body }));
      return chat._id;
    };
    const said = [`${name} asks`];
    const id = await ask(`${name} asks`);
    const chat: Remembered = { said, turns: [] };
    chats.set(id, chat);
    for (let turn = 0; turn <= REOPENINGS_MAX && !isOver; turn++) {
      const member = members[turn % members.length] as Account;
      const its = { token: member.token, params: { id } };
      if (turn > 0) await insist(() => api('POST /chats/:id/reopen', its));
      const answer = { clientId: randomUUID(), content: `${name} is answered ${turn}` };
      await insist(() => api('POST /chats/:id/messages', { ...its, body: answer }));
      await ask(`${name} thanks ${turn}`);
      said.push(answer.content, `${name} thanks ${turn}`);
      await insist(() => api('POST /chats/:id/close', its));
      const score = 1 + (turn % STARS);
      await insist(() => api('POST /widget/:widgetCode/rating', { token, params, body: { chatId: id, score } }));
      chat.turns.push({ agent: member.user._id, score });
    }
  }

  async function talk(name: string): Promise<void> {
    for (let i = 0; !isOver; i++) await converse(`${name} ${i}`);
  }

  const talking = Promise.all(Array.from({ length: TALKERS }, (_, i) => talk(`${TALKER} ${i}`)));
  // Who was refused is reported at the end.
  talking.catch(() => {});

  return {
    formerEnded() {
      mayRefuse = false;
    },
    async end() {
      isOver = true;
      await talking;
      const wanted = Object.fromEntries([...chats].map(([id, chat]) => [id, wantedOf(chat, keepsTurns)]));
      const check = async () => expect(await storedChats(world, [...chats.keys()], keepsTurns)).toEqual(wanted);
      await vi.waitFor(check, { timeout: SETTLED_TIMEOUT_MS, interval: PAUSE_MS });
      const all = [...chats.values()];
      const [messages, turns] = [all.flatMap(({ said }) => said), all.flatMap((chat) => chat.turns)];
      const reopened = turns.length - all.length;
      return `over HTTP ${messages.length} messages, ${turns.length} closes and ratings, ${reopened} reopenings in ${all.length} chats, each once and in order, ${repeats} calls repeated, ${refusals} refused wrongly`;
    },
  };
}

/** What must be stored. The newest turn is the chat's own, those before are kept beside it. */
function wantedOf({ said, turns }: Remembered, keepsTurns: boolean) {
  const events = turns.flatMap((_, i) => (i > 0 ? ['reopened', 'closed'] : ['closed']));
  return { said, events, turns: keepsTurns ? turns : turns.slice(-1) };
}

function storedChats(world: World, ids: string[], keepsTurns: boolean) {
  return inDatabase(world, async (db) => {
    const chats = await db.collection('chats').find().toArray();
    const messages = await db.collection('messages').find().sort({ chat: 1, seq: 1 }).toArray();
    const byChat = new Map(ids.map((id) => [id, [] as Document[]]));
    for (const message of messages) byChat.get(String(message.chat))?.push(message);
    const turnOf = ({ agent, score }: Document) => ({ agent: String(agent), score });
    const stored = [...byChat].map(([id, its]) => {
      const chat = chats.find(({ _id }) => String(_id) === id);
      const own = { agent: chat?.claimedBy, score: chat?.rating?.score };
      return [
        id,
        {
          said: its.filter(({ sender }) => sender !== 'system').map(({ content }) => content),
          events: its.flatMap(({ event }) => (event === 'closed' || event === 'reopened' ? [event] : [])),
          // Of a chat that was only begun at the end, no turn was closed.
          turns: [...(keepsTurns ? (chat?.turns ?? []) : []), ...(chat?.status === 'closed' ? [own] : [])].map(turnOf),
        },
      ];
    });
    return Object.fromEntries(stored);
  });
}
