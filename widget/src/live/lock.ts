/** Runs tasks one after the other. A task must not reject. */
export type Lock = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** A mutex that all tabs of a site share by its name. Where the browser has no Web Locks, it holds within this page only. */
export function createLock(name: string): Lock {
  // Web Locks need https, and reject where the browser blocks storage.
  const { locks } = navigator as { locks?: LockManager };
  let last: Promise<unknown> | null = null;

  return <Result>(task: () => Promise<Result>) => {
    let run: Promise<Result> | undefined;
    const once = () => {
      run ??= task();
      return run;
    };
    const inTurn = () => {
      const turn = last ? last.then(once) : once();
      last = turn;
      void turn.then(() => {
        if (last === turn) last = null;
      });
      return turn;
    };
    return locks ? locks.request(name, once).catch(inTurn) : inTurn();
  };
}
