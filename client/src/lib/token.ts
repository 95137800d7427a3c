import { TOKEN_KEY } from 'server/contract';

/** `elsewhere`: another tab changed it. */
type Listener = (from: 'here' | 'elsewhere') => void;

const listeners = new Set<Listener>();
/** Stands in where the browser refuses storage (private windows, blocked site data). */
let memory: string | null = null;

function read(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return memory;
  }
}

function write(value: string | null): void {
  memory = value;
  try {
    if (value === null) localStorage.removeItem(TOKEN_KEY);
    else localStorage.setItem(TOKEN_KEY, value);
  } catch {
    // Without storage the session lasts as long as the page.
  }
  for (const listener of listeners) listener('here');
}

/** The bearer token of the session: kept in local storage, the same in all tabs. */
export const token = {
  get: read,
  set: (value: string): void => write(value),
  clear: (): void => {
    if (read() !== null) write(null);
  },
  /** Hears of every change, other tabs' included; answers how to stop hearing. */
  subscribe: (listener: Listener): (() => void) => {
    const hear = ({ key }: StorageEvent) => {
      if (key === TOKEN_KEY || key === null) listener('elsewhere');
    };
    listeners.add(listener);
    window.addEventListener('storage', hear);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', hear);
    };
  },
};
