import type { Ground, Workplace } from '../desk.ts';
import type { Parts } from '../parts.ts';
import type { Panel } from './panel.ts';

/** The parts that draw something. */
export type Drawing = 'form' | 'emoji' | 'files' | 'menu';

/** What a part that draws gives to whoever brought it. */
type Started<Name extends Drawing> = ReturnType<Parts[Name]['start']>;

/** Brings a part, started once; null: it could not be fetched, and may be asked for again. */
export type Bring = <Name extends Drawing>(name: Name) => Promise<Started<Name> | null>;

/** Lets the panel bring what it needs, with the words of the visitor's language. */
export function createBring(ground: Ground, panel: () => Panel): Bring {
  const brought = new Map<Drawing, Promise<unknown>>();

  async function fetchAndStart(name: Drawing): Promise<unknown> {
    try {
      const [{ more }, part] = await Promise.all([ground.fetch(`more-${ground.language.name}`), ground.fetch(name)]);
      // A view of what is shared, not a copy: the line to the server may come later.
      const work: Workplace = Object.assign(Object.create(ground), { panel: panel(), words: more });
      return ground.signal.aborted ? null : part.start(work);
    } catch {
      brought.delete(name);
      const message = `Parley: the part '${name}' could not be loaded.`;
      console.warn(message);
      ground.frame.emit('error', { code: 'OFFLINE', message });
      return null;
    }
  }

  return <Name extends Drawing>(name: Name) => {
    const known = brought.get(name) ?? fetchAndStart(name);
    brought.set(name, known);
    return known as Promise<Started<Name> | null>;
  };
}
