import type { Caller } from '#features/auth';
import { events } from '#platform/events';
import { asAppError, conflict, internal, partsOf, sentence } from '#platform/http';
import type { MessageParts } from '#platform/http/contract';
import { type Chat, TAGS_MAX } from '../contract.ts';
import { type ChatAccess, chatFor } from '../guards.ts';
import type { ChatDoc } from '../model.ts';
import { chatViews } from '../serialize.ts';
import { chatClosed } from '../turns/claim.ts';
import { closeChat, closerOf, reopenChat } from '../turns/closing.ts';
import { moveToDepartment } from '../turns/department.ts';
import { changeTag, tooManyTags } from '../turns/ratingAndTags.ts';
import { transferChat } from '../turns/transfer.ts';
import type { BulkChange, BulkResult } from './contract.ts';

/** So many chats are changed at the same time: they share writes, and others are still served between them. */
const AT_ONCE = 10;

/** The chat as it is now; `isChanged` false: it already was what was asked for. */
interface Changed {
  chat: ChatDoc;
  isChanged: boolean;
}

type Outcome = (Changed & Pick<ChatAccess, 'site'>) | { error: unknown };

/**
 * Makes one change to each of several chats, with the same action as the call for a single chat. All chats are loaded with
 * one read, and one that is refused, or already is what was asked for, costs no further command. Idempotent: repeated, it
 * changes nothing.
 */
export async function changeChats(caller: Caller, chatIds: string[], change: BulkChange): Promise<BulkResult[]> {
  const found = await Promise.all(chatIds.map((id) => attempt(() => chatFor(caller, id, 'chats.reply'))));
  const outcomes = await inTurns(found, async (access): Promise<Outcome> => {
    if ('error' in access) return access;
    return attempt(async () => ({ site: access.site, ...(await changeChat(access, caller, change)) }));
  });
  return resultsOf(chatIds, outcomes);
}

async function attempt<Value>(work: () => Promise<Value>): Promise<Value | { error: unknown }> {
  try {
    return await work();
  } catch (error) {
    return { error };
  }
}

/** Does the work for all items, a few at a time. @returns the results in the order of the items */
async function inTurns<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** What the loaded row already shows to be done, or refused, is not asked of the store. @throws AppError */
async function changeChat(access: ChatAccess, caller: Caller, change: BulkChange): Promise<Changed> {
  const { chat } = access;
  const { user } = caller;
  const isClosed = chat.status === 'closed';
  const unchanged = { chat, isChanged: false };
  const changed = (now: ChatDoc | null) => (now ? { chat: now, isChanged: true } : unchanged);
  switch (change.action) {
    case 'close': {
      if (isClosed) return unchanged;
      const closed = await closeChat(access, closerOf(caller));
      // Somebody else may have been faster.
      return { chat: closed, isChanged: closed.closedBy?.equals(user._id) ?? false };
    }
    case 'reopen':
      if (isClosed) return changed(await reopenChat(access, caller));
      if (chat.turnSeq !== undefined && chat.claimedBy?.equals(user._id)) return unchanged;
      throw conflict('CHAT_NOT_CLOSED', sentence('This chat is not closed.'));
    case 'tag':
      if (chat.tags.includes(change.tag)) return unchanged;
      if (chat.tags.length >= TAGS_MAX) throw tooManyTags();
      return changed(await changeTag(access, change.tag, true));
    case 'untag':
      return chat.tags.includes(change.tag) ? changed(await changeTag(access, change.tag, false)) : unchanged;
    case 'transfer':
      if (isClosed) throw chatClosed();
      if ((chat.claimedBy?.toHexString() ?? null) === (change.userId?.toLowerCase() ?? null)) return unchanged;
      return changed(await transferChat(access, caller, change.userId));
    case 'department': {
      const moved = await moveToDepartment(access, caller, change.department, true);
      return { chat: moved, isChanged: moved.rev !== chat.rev };
    }
  }
}

async function resultsOf(chatIds: string[], outcomes: Outcome[]): Promise<BulkResult[]> {
  const changedChats = outcomes.flatMap((outcome) => ('error' in outcome ? [] : outcome));
  const views = await chatViews(
    changedChats.map(({ chat }) => chat),
    changedChats.map(({ site }) => site),
  );
  const viewOf = new Map(views.map((view) => [view._id, view]));
  return chatIds.map((chatId, index) => {
    const outcome = outcomes[index] as Outcome;
    if ('error' in outcome) return { chatId, outcome: 'refused', ...reasonOf(outcome.error) };
    return { chatId, outcome: outcome.isChanged ? 'done' : 'unchanged', chat: viewOf.get(chatId) as Chat };
  });
}

function reasonOf(error: unknown): { code: string; message: string } & MessageParts {
  const appError = asAppError(error);
  if (!appError) events.fail(error, 'change of several chats');
  const { code, message, text } = appError ?? internal();
  return { code, message, ...partsOf(text) };
}
