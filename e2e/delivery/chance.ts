/** Decisions that one seed makes again and again in the same way. */
export interface Chance {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of them; the first where there is nothing to choose from. */
  one<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of them; undefined: there is none. */
  any<Item>(items: readonly Item[]): Item | undefined;
}

/** Mulberry32 (Tommy Ettinger, public domain): small, and good enough to choose by. */
export function createChance(seed: number): Chance {
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
