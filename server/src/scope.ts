import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';

/** One running server, as whatever it keeps in memory is told apart by. */
type Scope = object;

const scopes = new AsyncLocalStorage<Scope>();
/** Of the first server of the process, and of commands and tests outside any. It takes no `AsyncLocalStorage`, which costs. */
const main: Scope = {};
let isMainTaken = false;

/** Where one server runs. */
export interface OwnScope {
  /** Runs work, and all that it sets going, in the scope. */
  run<Result>(work: () => Result): Result;
  /** Has what this emitter tells be heard in the scope: connections that come to a server belong to none by themselves. */
  adopt(emitter: EventEmitter): void;
  /** The server has stopped. */
  release(): void;
}

/** Takes the scope of the process; a server that starts beside another gets one of its own, and hears nothing of the other. */
export function takeScope(): OwnScope {
  if (isMainTaken) {
    const own: Scope = {};
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
    },
  };
}

/**
 * State that every server in the process has of its own, for what is asked so deep below that to hand it down would add a
 * parameter to every function above. What features are handed is in `Context`.
 * @param make makes it when it is first asked for
 */
export function perServer<State>(make: () => State): () => State {
  const states = new WeakMap<Scope, State>();
  let [last, state]: [Scope | null, State | undefined] = [null, undefined];
  return () => {
    const scope = scopes.getStore() ?? main;
    if (scope === last) return state as State;
    const own = states.has(scope) ? (states.get(scope) as State) : make();
    states.set(scope, own);
    [last, state] = [scope, own];
    return own;
  };
}

/** A map that every server in the process has of its own. */
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
