import { createDrafts, type Drafts } from 'browser/drafts';
import { createStorage as createSafeStorage } from 'browser/storage';
import type { VisitorAnswers } from 'server/contract';

/** A message as it is kept until the server has stored it. */
export interface OutgoingMessage {
  clientId: string;
  content: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** What else stood in the offline form, where the message was left in it. */
  from?: (VisitorAnswers & { name: string; email: string }) | undefined;
  /** The department that it is for. */
  department?: string | undefined;
  /** Why the next try is far away, in the server's words. */
  why?: string;
  /** Why it is not tried again unless the visitor asks for it. */
  failed?: { code: string; message: string };
}

/**
 * `token`: the visitor's secret. `on`: the next page connects at once, to continue the conversation.
 * `met`: the visitor gave an address (`mail`), or is not asked for one again (`asked`). `mute`: no sound.
 * `who`: whom the page has named last. `shut`: the last message whose teaser was closed. `ring`: which tab makes the sound, and when. `visit`: which greetings it had. `greeting`: a new visitor reads one. `poll`: until when polling is tried first, in milliseconds since 1970. `person`: a person is wanted in the open chat, or in the next one. `helped`: the last answer of the assistant that was judged.
 */
type Fact =
  | 'token'
  | 'on'
  | 'met'
  | 'who'
  | 'mute'
  | 'shut'
  | 'ring'
  | 'visit'
  | 'greeting'
  | 'poll'
  | 'person'
  | 'helped';

/** Begins the keys of the messages in the outbox. */
export const OUTBOX = 'out:';

/** What the visitor has typed: the message, and what is in other fields. `draft:sent`: the message that was sent last. */
export type Draft = 'draft' | `draft:${string}`;

/** Everything is kept as drafts are: all tabs have the same, and '' stands for nothing. */
export interface Storage extends Pick<Drafts, 'keys'> {
  read(key: Fact | Draft): string;
  write(key: Fact | Draft, value: string): void;
  /** Removes a draft and returns it, in order to send it. '' where another tab has sent it already. */
  take(key: Draft): string;
  /** Remembers for the next page in this tab whether the panel is open. */
  keepOpen(open: boolean): void;
  /** The messages in the outbox of all tabs, oldest first. */
  outgoing(): OutgoingMessage[];
  put(message: OutgoingMessage): void;
  drop(clientId: string): void;
  /** Calls `changed` with the key after each change, of this tab or another; '': another tab has cleared all. */
  watch(changed: (key: string) => void, signal: AbortSignal): void;
  /** Calls `changed` when another tab has become another visitor, or deleted this one. */
  watchVisitor(changed: () => void, signal: AbortSignal): void;
  /** Deletes everything. */
  wipe(): void;
}

/**
 * Local storage under `parley:{code}:`. Each message has an entry of its own, so that tabs cannot overwrite each other's messages.
 * Where the browser blocks storage, values are kept in memory, for this page view.
 */
export function createStorage(code: string): Storage {
  const root = `parley:${code}:`;
  const drafts = createDrafts(
    createSafeStorage(() => localStorage),
    root,
  );
  const { read, write, keys, watch } = drafts;

  function parse(text: string): OutgoingMessage | null {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  return {
    ...drafts,
    keepOpen: (open) => createSafeStorage(() => sessionStorage).set(`${root}open`, open ? '1' : ''),
    outgoing() {
      return keys(OUTBOX)
        .flatMap((key) => parse(read(key)) ?? [])
        .sort((a, b) => a.at - b.at);
    },
    put: (message) => write(OUTBOX + message.clientId, JSON.stringify(message)),
    drop: (clientId) => write(OUTBOX + clientId, ''),
    watch: (changed, signal) => signal.addEventListener('abort', watch(changed)),
    watchVisitor(changed, signal) {
      const isOther = ({ key, oldValue }: StorageEvent) => !key || (key === `${root}token` && oldValue);
      addEventListener('storage', (event) => isOther(event) && changed(), { signal });
    },
    wipe() {
      for (const key of keys('')) write(key, '');
    },
  };
}
