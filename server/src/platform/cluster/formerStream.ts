import type { EncodedEvent } from '#platform/events';
import { plainEntries } from './entries.ts';
import { NodeModel } from './nodes.ts';
import { openStream, type Stream, type StreamDeps } from './stream.ts';

/** The stream of the version before, which every installation on a Redis shared. */
const FORMER_KEY = 'parley:events';
const LOOK_EVERY_MS = 2_000;

/** The bridge to nodes of the version before, which neither sign what they send nor read the stream of their installation. */
interface FormerStream {
  publish(event: EncodedEvent): void;
  /** Resolves when such nodes are heard, if there are any. */
  begun: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Bridges to the stream of such nodes for as long as one is in the registry, which is during a rolling update. It accepts only
 * their entries.
 */
export function openFormerStream({ received, ...deps }: Omit<StreamDeps, 'key' | 'entries'>): FormerStream {
  let nodes = new Set<string>();
  let stream: Stream | undefined;
  /** It writes only once it reads, so that no answer is missed. */
  let isHeard = false;
  let running = look();
  const begun = running.then(() => stream?.begun);
  const timer = setInterval(() => {
    running = running.then(look);
  }, LOOK_EVERY_MS).unref();

  async function look(): Promise<void> {
    try {
      const found = await NodeModel.find({ signs: { $ne: true } }, { _id: 1 }).lean<{ _id: string }[]>();
      nodes = new Set(found.map(({ _id }) => _id));
    } catch (error) {
      deps.failed(error);
      return;
    }
    if (nodes.size === 0) await close();
    else if (!stream) open();
  }

  function open(): void {
    const opened = openStream({
      ...deps,
      key: FORMER_KEY,
      entries: plainEntries,
      // What does not come from one of them is dropped below.
      isListed: async () => true,
      received: (event, from) => (nodes.has(from) ? received(event, from) : undefined),
      missed: (from) => {
        if (nodes.has(from)) deps.missed(from);
      },
    });
    stream = opened;
    void opened.begun.then(() => {
      isHeard = stream === opened;
    });
  }

  async function close(): Promise<void> {
    const closed = stream;
    stream = undefined;
    isHeard = false;
    await closed?.stop();
  }

  return {
    publish: (event) => (isHeard ? stream?.publish(event) : undefined),
    begun,
    async stop() {
      clearInterval(timer);
      await running;
      await close();
    },
  };
}
