import type { Types } from 'mongoose';
import { connection } from '#platform/database';
import { events } from '#platform/events';

/** For how many seconds processed messages are remembered: far longer than a round of the reconciler takes. */
const REMEMBERED_S = 300;
/** Deleted chats that are remembered. */
const GONE_MAX = 10_000;

/** The messages of some seconds, in Unix time as in their ids: those after `after`, up to and including `until`. */
export interface Span {
  after: number;
  until: number;
}

/** How many messages of a second are processed. */
export type CountOfSecond = [second: number, count: number];

/** The messages that a projection has processed: the ids of this node's, and the number per second of the other nodes'. */
export class ProcessedMessages {
  /** The chats of the messages, by second and then by message. */
  private readonly seconds = new Map<number, Map<string, string>>();
  /** Deleted chats: their messages may be processed after the deletion. */
  private readonly gone = new Set<string>();
  /** The counts of other nodes, by node and second. */
  private readonly others = new Map<string, Map<number, number>>();
  /** The seconds whose counts have not been sent to the other nodes yet. */
  private readonly changedSeconds = new Set<number>();

  constructor() {
    connection.on('close', () => this.clear());
  }

  add({ _id, chat }: { _id: Types.ObjectId; chat: Types.ObjectId }): void {
    if (this.gone.size > 0 && this.gone.has(chat.toHexString())) return;
    const second = secondOf(_id);
    const messages = this.seconds.get(second) ?? new Map<string, string>();
    messages.set(_id.toHexString(), chat.toHexString());
    if (events.areOthers()) this.changedSeconds.add(second);
    if (this.seconds.has(second)) return;
    this.seconds.set(second, messages);
    forgetBefore(this.seconds, second - REMEMBERED_S);
  }

  /** Counts the messages of a span, and forgets earlier ones. */
  count({ after, until }: Span): number {
    let count = 0;
    for (const [second, messages] of this.seconds) if (second > after && second <= until) count += messages.size;
    for (const counts of this.others.values())
      for (const [second, messages] of counts) if (second > after && second <= until) count += messages;
    for (const bySecond of [this.seconds, ...this.others.values()]) forgetBefore(bySecond, after + 1);
    return count;
  }

  /** The counts that have changed since the last call, for the other nodes. */
  takeChanges(): CountOfSecond[] {
    const changedSeconds = [...this.changedSeconds].map(
      (second): CountOfSecond => [second, this.seconds.get(second)?.size ?? 0],
    );
    this.changedSeconds.clear();
    return changedSeconds;
  }

  /** Takes over the counts of another node. */
  merge(node: string, counts: CountOfSecond[]): void {
    const bySecond = this.others.get(node) ?? new Map<number, number>();
    this.others.set(node, bySecond);
    for (const [second, count] of counts) bySecond.set(second, count);
    forgetBefore(bySecond, Math.max(...bySecond.keys()) - REMEMBERED_S);
  }

  /** Forgets the messages of a deleted chat: they would be counted in place of others that were lost. */
  forget(chatId: string): void {
    if (this.gone.size >= GONE_MAX) this.gone.clear();
    this.gone.add(chatId);
    // Which of theirs were in the chat is not known.
    this.others.clear();
    for (const [second, messages] of this.seconds)
      for (const [id, chat] of messages)
        if (chat === chatId) {
          messages.delete(id);
          this.changedSeconds.add(second);
        }
  }

  clear(): void {
    this.seconds.clear();
    this.others.clear();
  }
}

function forgetBefore(seconds: Map<number, unknown>, first: number): void {
  for (const second of seconds.keys()) if (second < first) seconds.delete(second);
}

/** @returns the second of an id */
export const secondOf = (id: Types.ObjectId): number => id.getTimestamp().getTime() / 1000;
