/** What the server serves now: the files of another release may have other names. `null` where it does not answer. */
export type Served = 'this release' | 'another release' | null;

/** Code that could not be loaded, though it was tried several times. */
export class CodeError extends Error {
  readonly served: Served;
  /** Tries once more; nothing remembers that it failed. */
  readonly load: () => Promise<unknown>;

  constructor(reason: unknown, served: Served, load: () => Promise<unknown>) {
    super(`Some code could not be loaded: ${String(reason)}`);
    this.served = served;
    this.load = load;
  }
}

/** Code in a file of its own. */
export interface Code<Loaded> {
  /** What was loaded. */
  loaded: () => Loaded | undefined;
  /** Loads it once, with retries. A failure is not kept: the next call tries again. @throws {CodeError} */
  load: () => Promise<Loaded>;
}

/** How long the second and the third try wait. */
const BACK_OFF_MS = [250, 1_000];

/**
 * @param request imports it; `attempt` counts from 0, for browsers that remember an address that failed
 * @param servedRelease asked once all tries have failed
 */
export function loadCode<Loaded>(
  request: (attempt: number) => Promise<Loaded>,
  servedRelease: () => Promise<Served>,
): Code<Loaded> {
  let loaded: Loaded | undefined;
  let pending: Promise<Loaded> | null = null;
  let attempts = 0;
  const tryFor = async ([pause, ...pauses]: number[]): Promise<Loaded> => {
    try {
      loaded = await request(attempts++);
      return loaded;
    } catch (error) {
      if (pause === undefined) throw new CodeError(error, await servedRelease(), load);
      await new Promise((done) => setTimeout(done, pause));
      return tryFor(pauses);
    }
  };
  const load = (): Promise<Loaded> => {
    if (loaded !== undefined) return Promise.resolve(loaded);
    pending ??= tryFor(BACK_OFF_MS).finally(() => {
      pending = null;
    });
    return pending;
  };
  return { loaded: () => loaded, load };
}
