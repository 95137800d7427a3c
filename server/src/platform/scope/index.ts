import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';

/** Identifies one running server: the key of all its in-memory state. */
type Scope = object;

const scopes = new AsyncLocalStorage<Scope>();
/**
 * The scope of the process's first server, and of commands and tests outside any. It avoids the cost of `AsyncLocalStorage`.
 * A new one follows a server that has stopped: the next server must know nothing that is not stored.
 */
let main: Scope = {};
let isMainTaken = false;
/** Whether there has ever been another scope: without one, looking up the current one would be a cost of each access. */
let areSeveral = false;

/** The scope in which one server runs. */
export interface OwnScope {
  /** Runs work in the scope, including everything asynchronous that it starts. */
  run<Result>(work: () => Result): Result;
  /** Runs this emitter's listeners in the scope: incoming connections have no asynchronous context of their own. */
  adopt(emitter: EventEmitter): void;
  /** Frees the scope after the server has stopped. */
  release(): void;
}

/** Takes the process's scope; a second server in the process gets its own, and shares no state or events with the first. */
export function takeScope(): OwnScope {
  if (isMainTaken) {
    const own: Scope = {};
    areSeveral = true;
    return {
      run: (work) => scopes.run(own, work),
      adopt(emitter) {
        const emit = emitter.emit.bind(emitter);
        emitter.emit = (...told) => scopes.run(own, () => emit(...told));
      },
      release: () => {},
    };
  }
  isMainTaken = true;
  return {
    run: (work) => work(),
    adopt: () => {},
    release: () => {
      isMainTaken = false;
      main = {};
    },
  };
}

/**
 * State of which each server in the process has its own, for code so deep that passing it down would add a parameter to
 * every function above. What features receive is in `Context`.
 * @param make creates the state at first use
 */
export function perServer<State>(make: () => State): () => State {
  const states = new WeakMap<Scope, State>();
  let [last, state]: [Scope | null, State | undefined] = [null, undefined];
  return () => {
    const scope = (areSeveral && scopes.getStore()) || main;
    if (scope === last) return state as State;
    const own = states.has(scope) ? (states.get(scope) as State) : make();
    states.set(scope, own);
    [last, state] = [scope, own];
    return own;
  };
}

/** A map of which each server in the process has its own. */
export function mapPerServer<Key, Value>(): Pick<
  Map<Key, Value>,
  'get' | 'set' | 'has' | 'delete' | 'clear' | 'keys' | 'values' | 'size'
> {
  const map = perServer(() => new Map<Key, Value>());
  return {
    get: (key) => map().get(key),
    set: (key, value) => map().set(key, value),
    has: (key) => map().has(key),
    delete: (key) => map().delete(key),
    clear: () => map().clear(),
    keys: () => map().keys(),
    values: () => map().values(),
    get size() {
      return map().size;
    },
  };
}

const IDS_MAX = 20_000;

/**
 * A cache of ids by another key. It may be stale, so the caller has to check that the document of the id still has the key.
 */
export function rememberedIds(): { get(key: string): string | undefined; set(key: string, id: string): void } {
  const ids = mapPerServer<string, string>();
  return {
    get(key) {
      const id = ids.get(key);
      // The map's order is that of use: the first is forgotten first.
      if (id !== undefined && ids.delete(key)) ids.set(key, id);
      return id;
    },
    set(key, id) {
      const [oldest] = ids.size >= IDS_MAX ? ids.keys() : [];
      if (oldest !== undefined) ids.delete(oldest);
      ids.set(key, id);
    },
  };
}
