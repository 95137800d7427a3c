import { type ChatDoc, ChatModel, handBack, newestMessage } from '#features/chats';
import { repliersOf, type SiteDoc, SiteModel } from '#features/sites';
import { events } from '#platform/events';
import type { AssignDeps } from './waiting.ts';

/** How long a claimer may be disconnected before a chat whose visitor waits is handed back. */
export const ABSENT_MAX_MS = 120_000;
const BATCH = 100;

/** Claimers who are not connected, and since when. */
interface AbsentAgents {
  /** Adds every member with an open chat: at the start of the process no one is connected yet. */
  findAll(): Promise<void>;
  /** Hands back waiting chats whose claimers have been absent too long. */
  handBackDue(): Promise<void>;
  /** A visitor wrote in a claimed chat: its claimer may be absent. */
  visitorWrote(chat: ChatDoc, site: SiteDoc): Promise<void>;
  left(userId: string): void;
  /** Whether any claimer is absent whose time is not over yet. */
  isAwaited(): boolean;
}

/** Keeps the absent claimers in this process; they are found again at each start. */
export function createAbsentAgents({ presence, now }: AssignDeps): AbsentAgents {
  const absent = new Map<string, { since: number; isDone: boolean }>();
  const isLong = ({ since }: { since: number }) => now() - since >= ABSENT_MAX_MS;

  function left(userId: string): void {
    absent.set(userId, { since: now(), isDone: false });
  }

  return {
    left,
    isAwaited: () => [...absent.values()].some(({ isDone }) => !isDone),
    async findAll() {
      for await (const userId of claimers()) left(userId);
    },
    async handBackDue() {
      for (const [userId, away] of absent) {
        if (presence.agentIsConnected(userId)) absent.delete(userId);
        else if (!away.isDone && isLong(away)) {
          away.isDone = await handBackWaiting(userId);
        }
      }
    },
    async visitorWrote(chat, site) {
      const { claimedBy } = chat;
      if (claimedBy === null) return;
      // The chats of one who leaves the team are handed back then; a crash or a failure may have left this one.
      if (!repliersOf(site).some((id) => id.equals(claimedBy))) await handBack({ chat, site });
      const userId = claimedBy.toHexString();
      if (presence.agentIsConnected(userId)) return;
      const away = absent.get(userId);
      if (away) away.isDone = false;
      else left(userId);
    },
  };
}

/** The members with an open chat, each once: read by skipping along the keys of an index. */
async function* claimers(): AsyncGenerator<string> {
  let after = '0'.repeat(24);
  for (;;) {
    const next = await ChatModel.findOne({ claimedBy: { $gt: after }, open: true }, { claimedBy: 1 })
      .sort({ claimedBy: 1 })
      .lean<ChatDoc>();
    if (!next?.claimedBy) return;
    after = next.claimedBy.toHexString();
    yield after;
  }
}

/** @returns whether all were handed back; otherwise it has to be tried again */
async function handBackWaiting(claimedBy: string): Promise<boolean> {
  let isDone = true;
  const chats = ChatModel.find({ claimedBy, open: true, snoozedUntil: null })
    .lean<ChatDoc[]>()
    .cursor({ batchSize: BATCH });
  for await (const chat of chats) {
    const newest = await newestMessage(chat._id);
    const site = newest?.sender === 'visitor' && (await SiteModel.findById(chat.site).lean<SiteDoc>());
    if (!site) continue;
    await handBack({ chat, site }).catch((error) => {
      isDone = false;
      events.fail(error, 'hand-back');
    });
  }
  return isDone;
}
