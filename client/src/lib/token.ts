import { TOKEN_KEY } from 'server/contract';
import { localStore } from './storage.ts';

/** `elsewhere`: changed by another tab. */
type Listener = (from: 'here' | 'elsewhere') => void;

const listeners = new Set<Listener>();
/** The number of pending calls that end this session. */
let leaving = 0;

function read(): string | null {
  return localStore.get(TOKEN_KEY);
}

function write(value: string | null): void {
  if (value === null) localStore.remove(TOKEN_KEY);
  else localStore.set(TOKEN_KEY, value);
  for (const listener of listeners) listener('here');
}

/** The bearer token of the session: kept in local storage, the same in all tabs. */
export const token = {
  get: read,
  set: (value: string): void => write(value),
  clear: (): void => {
    if (read() !== null) write(null);
  },
  /** Makes a call that ends this session. Until it has ended, a 401 or `session_ended` elsewhere is expected and ignored. */
  leave: async <Answer>(end: () => Promise<Answer>): Promise<Answer> => {
    leaving++;
    try {
      return await end();
    } finally {
      leaving--;
    }
  },
  isLeaving: (): boolean => leaving > 0,
  /** Subscribes to changes, also of other tabs. @returns a disposer */
  subscribe: (listener: Listener): (() => void) => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === TOKEN_KEY || key === null) listener('elsewhere');
    };
    listeners.add(listener);
    window.addEventListener('storage', onStorage);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', onStorage);
    };
  },
};

/** The claims of a JWT, not verified; empty if it is none. */
export function jwtClaims(jwt: string): { iat?: unknown; sid?: unknown } {
  try {
    return Object(JSON.parse(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))));
  } catch {
    return {};
  }
}
