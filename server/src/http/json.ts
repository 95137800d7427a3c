/**
 * A JSON list as pieces of text, written while it is read: as long as it may be, one item at a time is in memory.
 * @param write gives the text of an item
 */
export async function* jsonList<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  write: (item: Item) => AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before;
    yield* write(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
