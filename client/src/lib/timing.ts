import { useEffect, useState } from 'react';

/** A throttled function: `ms` after a call it runs once, for all calls of that time. */
export function throttle(act: () => void, ms: number): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      act();
    }, ms);
  };
}

/** The value, debounced: as it was when it last stayed the same for `ms`. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
}
