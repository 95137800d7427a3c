import { startProxiedStore } from './proxiedStore.ts';
import { documentOf } from './wireMessages.ts';

/** A store that can stop at a message, as if its machine were too slow, so that a test can end the process that waits for it. */
export interface StoppingStore {
  uri: string;
  /** Past all stops. */
  directUri: string;
  /** From now on a message with this text is not stored, or stored without an answer. @returns when it has come to that */
  stopAt(when: 'before' | 'after', content: string): Promise<void>;
  goOn(): void;
  stop(): Promise<void>;
}

/** Starts one. */
export async function startStoppingStore(): Promise<StoppingStore> {
  let stopped: { when: 'before' | 'after'; content: string; tell(): void } | null = null;
  const forever = new Promise<never>(() => {});
  const store = await startProxiedStore(() => {
    const silent = new Set<number>();
    return {
      asked(bytes) {
        const command = documentOf(bytes);
        const isMeant = command.insert === 'messages' && command.documents.some(isStopped);
        if (!stopped || !isMeant) return bytes;
        if (stopped.when === 'after') silent.add(bytes.readInt32LE(4));
        else stopped.tell();
        return stopped.when === 'after' ? bytes : forever;
      },
      answered(bytes) {
        if (!silent.has(bytes.readInt32LE(8))) return bytes;
        stopped?.tell();
        return forever;
      },
    };
  });
  const isStopped = ({ content }: { content: string }) => content === stopped?.content;
  return {
    uri: `mongodb://${store.address}/parley?directConnection=true`,
    directUri: store.directUri,
    stopAt: (when, content) =>
      new Promise((tell) => {
        stopped = { when, content, tell };
      }),
    goOn() {
      stopped = null;
    },
    stop: store.stop,
  };
}
