import { newestMessage } from '../chats/messages.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { handBack } from '../chats/transfer.ts';
import { events } from '../events.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import type { AssignDeps } from './waiting.ts';

/** A claimer may be away for so long before a visitor who waits is handed back. */
export const ABSENT_MAX_MS = 120_000;
const BATCH = 100;

/** Claimers who are not connected, and since when. */
interface AbsentAgents {
  /** Everybody who has an open chat: at the start nobody is connected yet. */
  findAll(): Promise<void>;
  /** Hands back what waits for claimers who have been away too long. */
  handBackDue(): Promise<void>;
  /** A visitor wrote in a claimed chat: nobody may be there to read it. */
  visitorWrote(chat: ChatDoc, site: SiteDoc): Promise<void>;
  left(userId: string): void;
  /** Whether anybody has not been away long enough yet. */
  isAwaited(): boolean;
}

/** Keeps who is absent within this process; it is found again at each start. */
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
          away.isDone = true;
          await handBackWaiting(userId);
        }
      }
    },
    async visitorWrote(chat, site) {
      const userId = chat.claimedBy?.toHexString();
      if (userId === undefined || presence.agentIsConnected(userId)) return;
      const away = absent.get(userId);
      if (!away) left(userId);
      else if (isLong(away)) await handBack({ chat, site });
    },
  };
}

/** Whoever has an open chat, once each: from one to the next on the keys of an index. */
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

async function handBackWaiting(claimedBy: string): Promise<void> {
  const chats = ChatModel.find({ claimedBy, open: true }).lean<ChatDoc[]>().cursor({ batchSize: BATCH });
  for await (const chat of chats) {
    const newest = await newestMessage(chat._id);
    const site = newest?.sender === 'visitor' && (await SiteModel.findById(chat.site).lean<SiteDoc>());
    if (site) await handBack({ chat, site }).catch((error) => events.fail(error, 'hand-back'));
  }
}
