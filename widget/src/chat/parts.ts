import type {
  BaseContext,
  DrawingPart,
  ImportPart,
  LoadPart,
  Panel,
  PartContext,
  Parts,
  StartPart,
} from './context.ts';

/** Counts the failures of each part, for the number of the next attempt. */
export function createPartLoader(importPart: ImportPart): LoadPart {
  const failures = new Map<keyof Parts, number>();
  return async (name) => {
    const attempt = failures.get(name) ?? 0;
    try {
      return await importPart(name, attempt);
    } catch (error) {
      failures.set(name, attempt + 1);
      throw error;
    }
  };
}

/** Lets the panel start the parts that draw something, with the texts of the visitor's language. */
export function createPartStarter(context: BaseContext, panel: () => Panel): StartPart {
  const started = new Map<DrawingPart, Promise<unknown>>();

  async function loadAndStart(name: DrawingPart): Promise<unknown> {
    try {
      const [{ more }, part] = await Promise.all([
        context.loadPart(`more-${context.language.name}`),
        context.loadPart(name),
      ]);
      // The prototype, not a copy: `context.live` may be set later.
      const own: PartContext = Object.assign(Object.create(context), { panel: panel(), texts: more });
      return context.signal.aborted ? null : part.start(own);
    } catch {
      started.delete(name);
      const message = `Parley: the part '${name}' could not be loaded.`;
      console.warn(message);
      context.host.emit('error', { code: 'OFFLINE', message });
      return null;
    }
  }

  return <Name extends DrawingPart>(name: Name) => {
    const known = started.get(name) ?? loadAndStart(name);
    started.set(name, known);
    return known as Promise<ReturnType<Parts[Name]['start']> | null>;
  };
}
