/** Random decisions that a seed makes repeatable. */
export interface SeededRandom {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of the items. */
  one<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of the items; undefined: there is none. */
  any<Item>(items: readonly Item[]): Item | undefined;
}

/** Mulberry32 (Tommy Ettinger, public domain): small, and random enough for tests. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    one: (items) => items[below(items.length)] ?? items[0],
    any: (items) => items[below(items.length)],
  };
}
