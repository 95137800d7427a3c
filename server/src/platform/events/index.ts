/** What happened, emitted after the commit. Each feature adds its own events to this map. */
export interface Events {
  /** An event of another node came for the first time, or again after a long silence. */
  nodeCame: { node: string };
  /** Another node has stopped, or no event of it came for too long. */
  nodeGone: { node: string };
  /** A node has missed events of the node `of`, and needs all that it keeps of its sockets. */
  listAsked: { of: string };
  /** This node has missed events of others: what it keeps may be older than what is stored. */
  eventsMissed: null;
}

type Name = keyof Events;
type Listener<Of extends Name> = (event: Events[Of]) => void | Promise<void>;

/** Plain data with ids, small enough for every node to read: never a document. */
export type Plain = Readonly<Record<string, unknown>> | null;

/**
 * Encodes an event that holds documents for the other nodes. `decode` loads the documents, and must not answer from a cache
 * that may be older than the event; null: what it was about no longer exists.
 */
export interface EventCodec<Of extends Name, Data extends Plain> {
  encode(event: Events[Of]): Data;
  decode(data: Data): Events[Of] | null | Promise<Events[Of] | null>;
}

/** An event as nodes send it to each other. */
export interface EncodedEvent {
  name: string;
  data: Plain;
}

const DONE = Promise.resolve();
const PLAIN_CODEC: EventCodec<Name, Plain> = {
  encode: (event) => event as Plain,
  decode: (data) => data as Events[Name],
};

/** By event; null: it is not sent, because every node emits it by itself. */
const codecs = new Map<string, EventCodec<Name, Plain> | null>([
  ['nodeCame', null],
  ['nodeGone', null],
  ['eventsMissed', null],
  ['listAsked', PLAIN_CODEC],
]);

/** All listeners, in the order in which they were added. */
const listeners = new Map<Name, Set<Listener<Name>>>();
/** Those who also listen to the events of other nodes. */
const listenersEverywhere = new Map<Name, Set<Listener<Name>>>();
let report: (error: unknown, what: string) => void = () => {};
let publish: ((event: EncodedEvent) => void) | undefined;

/**
 * Typed events between features: actions emit them, listeners broadcast and notify. This file depends on no feature. Of
 * several nodes, `on` listens to the events of this node only, and `everywhere` to those of all nodes.
 */
export const events = {
  /**
   * Declares that these events are also sent to the other nodes, and how they are encoded. Without a codec an event is plain
   * data already.
   */
  crossesNodes<Of extends Name, Data extends Plain = Plain>(name: Of, codec?: EventCodec<Of, Data>): void {
    codecs.set(name, (codec as EventCodec<Name, Plain> | undefined) ?? PLAIN_CODEC);
  },

  /** Declares that each node emits these events by itself, so that they are not sent. */
  onEachNode(...names: Name[]): void {
    for (const name of names) codecs.set(name, null);
  },

  /** Adds a listener that runs once in the whole cluster: on the node where the event arose. @returns a disposer */
  on<Of extends Name>(name: Of, listener: Listener<Of>): () => void {
    return add(listeners, name, listener as Listener<Name>);
  },

  /**
   * Adds a listener that runs on every node: for what each node keeps itself, such as sockets and caches.
   * @returns a disposer
   */
  everywhere<Of extends Name>(name: Of, listener: Listener<Of>): () => void {
    if (!codecs.has(name)) throw new Error(`Declare whether the event ${name} crosses nodes.`);
    return events.stopAll([
      add(listeners, name, listener as Listener<Name>),
      add(listenersEverywhere, name, listener as Listener<Name>),
    ]);
  },

  /** Combines several disposers into one. */
  stopAll(stops: (() => void)[]): () => void {
    return () => {
      for (const stop of stops) stop();
    };
  },

  /** Emits an event and waits for its listeners here. A listener's failure is reported and never reaches the emitter. */
  emit<Of extends Name>(name: Of, event: Events[Of]): Promise<void> {
    const done = notify(listeners.get(name), name, event as Events[Name]);
    const codec = codecs.get(name);
    if (publish && codec) publish({ name, data: codec.encode(event as Events[Name]) });
    return done;
  },

  /** Sends an event of plain data to the other nodes only: this one knows already. */
  emitElsewhere<Of extends Name>(name: Of, event: Events[Of]): void {
    publish?.({ name, data: event as Plain });
  },

  /**
   * Emits an event that may have been emitted before, to those who listen everywhere only: what runs once in the cluster, such as
   * counting, would do it twice.
   */
  async emitEverywhere<Of extends Name>(name: Of, event: Events[Of]): Promise<void> {
    const codec = publish && codecs.get(name);
    if (codec) publish?.({ name, data: codec.encode(event as Events[Name]) });
    await notify(listenersEverywhere.get(name), name, event as Events[Name]);
  },

  /** Whether there may be other nodes. */
  areOthers(): boolean {
    return publish !== undefined;
  },

  /**
   * Emits an event of another node to those who listen everywhere.
   * @throws what its documents cannot be read for; nobody has heard it then
   */
  async receive({ name, data }: EncodedEvent): Promise<void> {
    const subscribed = listenersEverywhere.get(name as Name);
    const codec = subscribed?.size ? codecs.get(name) : undefined;
    const event = codec ? await codec.decode(data) : null;
    if (event !== null) await notify(subscribed, name as Name, event);
  },

  /** Sets the function that sends events to the other nodes; undefined: there are none. */
  publishWith(send: ((event: EncodedEvent) => void) | undefined): void {
    publish = send;
  },

  /** Reports the failure of work that no caller awaits. */
  fail(error: unknown, what: string): void {
    report(error, what);
  },

  /** Sets the function that receives failures after a commit. */
  reportTo(to: (error: unknown, what: string) => void): void {
    report = to;
  },
};

function add(to: Map<Name, Set<Listener<Name>>>, name: Name, listener: Listener<Name>): () => void {
  const all = to.get(name) ?? new Set();
  to.set(name, all);
  all.add(listener);
  return () => all.delete(listener);
}

function notify(subscribed: Set<Listener<Name>> | undefined, name: Name, event: Events[Name]): Promise<void> {
  const running: Promise<void>[] = [];
  for (const listener of subscribed ?? []) {
    try {
      // Most listeners are synchronous, whatever they return: only promises are collected and awaited.
      const run: unknown = listener(event);
      if (isThenable(run)) running.push(Promise.resolve(run).catch((error) => report(error, `listener of ${name}`)));
    } catch (error) {
      report(error, `listener of ${name}`);
    }
  }
  return running.length > 0 ? Promise.all(running).then(() => {}) : DONE;
}

function isThenable(value: unknown): value is PromiseLike<void> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

export {
  type Namespaces,
  rooms,
  type StaffNamespace,
  type StaffSocket,
  type StaffSocketData,
  type VisitorNamespace,
  type VisitorSocket,
  type VisitorSocketData,
} from './namespaces.ts';
