import {
  type AssistantRunOf,
  beginRun,
  type ChatDoc,
  ChatModel,
  type ChatOfSite,
  chatCache,
  dropRun,
  handOver,
  hasRun,
  type MessageDoc,
  readQuestion,
  storeAnswer,
} from '#features/chats';
import { leadsOn, liveSite } from '#features/sites';
import { events } from '#platform/events';
import { SECOND_MS } from '#platform/time';
import { ASSISTANT_ANSWERS_MAX, type HandOverReason } from '../contract.ts';
import { countAssist } from '../model/days.ts';
import { assistantOf } from '../settings/settings.ts';
import type { AnswerQuestion, Outcome } from './answering.ts';
import { keepRun } from './model.ts';

declare module '#platform/events' {
  interface Events {
    /**
     * Something came after a question of this chat, of which no run may answer any more. Plain data, so that a node hears it that has
     * no sockets of the site: the run may be there.
     */
    assistantOvertaken: { chat: string; seq: number };
  }
}
events.crossesNodes('assistantOvertaken');

/** Less than the time after which a run counts as lost. */
const RUN_MAX_MS = 55 * SECOND_MS;

interface RunningDeps {
  /** null: the server has no model. */
  answerQuestion: AnswerQuestion | null;
  now: () => number;
}

/** A run of this process. */
interface Running {
  siteId: string;
  upTo: number;
  stopped: AbortController;
  ended: Promise<void>;
}

/** Lets the assistant answer what visitors ask in the chats that it has. @returns a disposer, which waits for the runs to end */
export function startAnswering({ answerQuestion, now }: RunningDeps): () => Promise<void> {
  const running = new Map<string, Running>();

  function stop(chatId: string): void {
    running.get(chatId)?.stopped.abort();
  }

  function start(of: ChatOfSite, upTo: number): void {
    const chatId = of.chat._id.toHexString();
    stop(chatId);
    const stopped = new AbortController();
    const failed = async (error: unknown) => {
      if (stopped.signal.aborted) return;
      events.fail(error, 'a run of the assistant');
      await handOver(of, 'failed').catch((again) => events.fail(again, 'a run of the assistant'));
    };
    const ended = answer(of, upTo, stopped.signal)
      .catch(failed)
      .finally(() => {
        if (running.get(chatId)?.stopped === stopped) running.delete(chatId);
      });
    running.set(chatId, { siteId: of.chat.site.toHexString(), upTo, stopped, ended });
  }

  async function answer(of: ChatOfSite, upTo: number, stopped: AbortSignal): Promise<void> {
    const { chat, site } = of;
    const settings = assistantOf(site);
    if (!answerQuestion || settings.step !== 'answer') return void (await handOver(of, 'off'));
    if ((chat.assistant?.answers ?? 0) >= ASSISTANT_ANSWERS_MAX) return void (await handOver(of, 'answers'));
    const run = await beginRun(of, upTo, new Date(now()));
    if (!run || stopped.aborted) return;
    const name = settings.name;
    await events.emit('assistantChanged', { chat, assistant: { name, run: run.run.toHexString() } });
    const { asked, before } = await readQuestion(of, run);
    if (asked.length === 0) {
      await dropRun(of, run);
      return void (await events.emit('assistantChanged', { chat, assistant: { name } }));
    }
    if (asked.some(({ file }) => file)) return void (await handOver(of, 'unknown'));
    const outcome = await answerQuestion({
      site,
      question: asked.map(({ content }) => content).join('\n'),
      history: before.flatMap(said),
      lang: chat.assistant?.lang ?? 'en',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(RUN_MAX_MS)]),
      onSentence: (text, length) => {
        if (!stopped.aborted)
          void events.emit('assistantText', { chat, run: run.run.toHexString(), upTo: length, text });
      },
    });
    if (stopped.aborted) return;
    await conclude(of, run, outcome);
  }

  async function conclude(of: ChatOfSite, run: AssistantRunOf, outcome: Outcome): Promise<void> {
    const { chat, site } = of;
    const { name } = assistantOf(site);
    const { answer: content, sources, reason } = outcome;
    const isStored =
      outcome.outcome === 'answered'
        ? await storeAnswer(of, run, { content, sources, name: name || null })
        : (await hasRun(of, run)) && (await handOver(of, reason ?? 'failed'));
    // Somebody came first: a member, or the visitor with more, to which another run belongs.
    if (!isStored) return;
    if (outcome.outcome === 'answered') {
      await events.emit('assistantChanged', { chat, assistant: { name } });
      await countAssist(site._id, { answered: 1 }, now());
    }
    await keepRun({ _id: run.run, site: site._id, chat: chat._id }, outcome, new Date(now()));
  }

  /** What is asked is another question now, or none. */
  async function restart({ chat }: ChatOfSite): Promise<void> {
    const { upTo } = running.get(chat._id.toHexString()) ?? {};
    const [row, site] = await Promise.all([
      ChatModel.findById(chat._id).lean<ChatDoc>(),
      liveSite(chat.site.toHexString()),
    ]);
    if (upTo !== undefined && row?.assisted && site) start({ chat: row, site }, upTo);
  }

  const overtake = ({ _id }: Pick<ChatDoc, '_id'>, seq: number) =>
    events.emit('assistantOvertaken', { chat: _id.toHexString(), seq });

  const stopListening = events.stopAll([
    events.on('messageAdded', ({ chat, site, message }) => {
      if (message.sender !== 'visitor' || !chat.assisted || message.seq !== chat.lastSeq) return;
      // What is tapped next belongs to the question.
      if (!leadsOn(site, message.content)) start({ chat, site }, message.seq);
    }),
    events.on('messageStored', ({ chat, message: { sender, seq } }) =>
      chat.assisted && sender !== 'assistant' ? overtake(chat, seq) : undefined,
    ),
    events.everywhere('assistantOvertaken', ({ chat, seq }) => {
      if (seq > (running.get(chat)?.upTo ?? seq)) stop(chat);
    }),
    events.on('typingChanged', async ({ chat: { _id }, userId, isTyping }) => {
      const chat = userId !== null && isTyping ? await chatCache.find(_id.toHexString()) : null;
      const site = chat?.assisted && (await liveSite(chat.site.toHexString()));
      if (site) await handOver({ chat, site }, 'agent');
    }),
    events.everywhere('messageChanged', ({ chat, site, message }) =>
      message.sender === 'visitor' && running.has(chat._id.toHexString()) ? restart({ chat, site }) : undefined,
    ),
    events.everywhere('chatChanged', ({ chat, site }) => {
      if (!running.has(chat._id.toHexString())) return;
      if (!chat.open || !chat.assisted || chat.blocked) stop(chat._id.toHexString());
      if (chat.blocked) handOver({ chat, site }, 'off').catch((error) => events.fail(error, 'a blocked visitor'));
    }),
    events.on('chatGone', ({ chat }) => overtake(chat, Number.MAX_SAFE_INTEGER)),
    events.everywhere('siteDeleted', ({ site }) => {
      for (const each of running.values()) if (each.siteId === site._id.toHexString()) each.stopped.abort();
    }),
  ]);

  return async () => {
    stopListening();
    const all = [...running.values()];
    for (const { stopped } of all) stopped.abort();
    await Promise.all(all.map(({ ended }) => ended));
  };
}

function said({ sender, content, file }: MessageDoc): { by: 'visitor' | 'assistant'; text: string }[] {
  if (file || (sender !== 'visitor' && sender !== 'assistant')) return [];
  return [{ by: sender, text: content }];
}

/** Counts, by day, the chats that people took over and what visitors say of answers. @returns a disposer */
export function countOutcomes(now: () => number): () => void {
  const count = (growth: Parameters<typeof countAssist>[1], siteId: ChatDoc['site']) =>
    countAssist(siteId, growth, now()).catch((error) => events.fail(error, 'figures of the assistant'));
  return events.stopAll([
    events.on('messageAdded', ({ message: { site, event, reason } }) =>
      event === 'handed_over' && reason ? count({ handedOver: reason as HandOverReason }, site) : undefined,
    ),
    events.on('answerHelped', ({ site, helped }) => count(helped ? { helped: 1 } : { notHelped: 1 }, site._id)),
  ]);
}
