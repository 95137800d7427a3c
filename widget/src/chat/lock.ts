/** Runs a task while no other tab of this site runs one of the same name, where the browser can tell. */
export async function exclusively<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
  // Only pages over https have locks, and not where the browser keeps storage from them.
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return task();
  let begun = false;
  const once = () => {
    begun = true;
    return task();
  };
  try {
    return await locks.request(name, once);
  } catch (error) {
    if (begun) throw error;
    return task();
  }
}
