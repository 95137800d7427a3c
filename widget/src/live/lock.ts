/** Runs tasks, which must not fail, one after the other. */
export type Lock = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** A lock that the tabs of a site share by its name, where the browser can tell; within this page it always holds. */
export function createLock(name: string): Lock {
  // Only pages over https have locks, and not where the browser keeps storage from them.
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
