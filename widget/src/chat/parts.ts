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

/** How often each part has failed on this page, for the number of the next attempt. */
const failures: Partial<Record<keyof Parts, number>> = {};

export function createPartLoader(importPart: ImportPart): LoadPart {
  return (name) => {
    const attempt = failures[name] ?? 0;
    return importPart(name, attempt).catch((error) => {
      failures[name] = attempt + 1;
      throw error;
    });
  };
}

/** Lets the panel use the parts that draw something, with the texts of the visitor's language. */
export function createPartStarter(context: BaseContext, panel: () => Panel): StartPart {
  const started = new Map<DrawingPart, Promise<unknown>>();
  const told = new Set<DrawingPart>();

  async function loadAndStart(name: DrawingPart): Promise<unknown> {
    const [{ more }, part] = await Promise.all([
      context.loadPart(`more-${context.language.name}`),
      context.loadPart(name),
    ]);
    // The prototype, not a copy: `context.live` may be set later.
    const own: PartContext = Object.assign(Object.create(context), { panel: panel(), texts: more });
    return context.signal.aborted ? null : part.start(own);
  }

  return async function use(name, run, isDue = true) {
    const { composer } = panel();
    try {
      const known = started.get(name) ?? (isDue && loadAndStart(name));
      if (!known) return false;
      started.set(name, known);
      const part = (await known) as Awaited<ReturnType<Parts[typeof name]['start']>> | null;
      // What another part has said of itself stays.
      if (told.delete(name)) composer.say('');
      if (part) run(part);
      return true;
    } catch {
      started.delete(name);
      told.add(name);
      composer.say(`${context.host.config.failure?.part}`, () => use(name, run));
      return false;
    }
  };
}
