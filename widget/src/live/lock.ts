/** Runs a task while no other tab of this site runs one of the same name, where the browser can tell. */
export function exclusively<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
  // Only pages over https have locks, and not where the browser keeps storage from them.
  const { locks } = navigator as { locks?: LockManager };
  let run: Promise<Result> | undefined;
  const once = () => {
    run ??= task();
    return run;
  };
  return locks ? locks.request(name, once).catch(once) : once();
}
