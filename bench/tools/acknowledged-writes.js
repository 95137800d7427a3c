/** Updates and deletes are for documents that were inserted this many steps earlier. */
const BEHIND = 30;
const GROUPS = 7;

/** Makes all kinds of writes at the same time, and remembers which were acknowledged. */
export class AcknowledgedWrites {
  acknowledged = 0;
  #next = 0;
  /** By id: whether the document exists (null: unknown), and the least and most times that it was incremented. */
  #known = new Map();
  #items;

  async prepare(db) {
    this.#items = db.collection('chaos');
    await this.#items.createIndex({ key: 1 }, { unique: true });
    await this.#items.createIndex({ group: 1, raised: -1 });
    await this.#items.createIndex({ tags: 1 });
  }

  /** Writes until the store is gone. */
  async write() {
    for (;;) {
      const id = this.#next++;
      await this.#insert(id);
      await Promise.all([this.#raise(id - BEHIND), this.#remove(id - 2 * BEHIND), this.#insertTwice(id)]);
    }
  }

  async #insert(id) {
    const entry = { there: null, least: 0, most: 0 };
    this.#known.set(id, entry);
    await this.#items.insertOne({ _id: id, key: `k${id}`, group: id % GROUPS, raised: 0, tags: [id % 3, `t${id}`] });
    entry.there = true;
    this.acknowledged++;
  }

  async #raise(id) {
    const entry = this.#known.get(id);
    if (!entry) return;
    entry.most++;
    const update = { $inc: { raised: 1 }, $push: { tags: { $each: ['more'], $slice: -4 } } };
    const { matchedCount } = await this.#items.updateOne({ _id: id }, update);
    if (matchedCount === 0) return;
    entry.least++;
    this.acknowledged++;
  }

  async #remove(id) {
    const entry = this.#known.get(id);
    if (!entry || id % 2 === 0) return;
    entry.there = null;
    await this.#items.deleteOne({ _id: id });
    entry.there = false;
    this.acknowledged++;
  }

  async #insertTwice(id) {
    const refused = await this.#items.insertOne({ _id: `twin ${id}`, key: `k${id}` }).then(
      () => null,
      (error) => error,
    );
    if (refused?.code === undefined) throw refused ?? new Error(`the key k${id} was used twice`);
  }

  /** Throws unless everything acknowledged is stored, and nothing else. */
  async compare() {
    const found = new Map();
    for await (const doc of this.#items.find()) found.set(doc._id, doc);
    for (const [id, { there, least, most }] of this.#known) {
      const doc = found.get(id);
      found.delete(id);
      if (there !== null && there !== Boolean(doc)) throw new Error(`${id} should ${there ? '' : 'not '}be there`);
      if (doc && (doc.raised < least || doc.raised > most))
        throw new Error(`${id} was raised ${least} to ${most} times, not ${doc.raised}`);
    }
    if (found.size > 0) throw new Error(`not written by the test: ${[...found.keys()].slice(0, 5)}`);
  }
}
