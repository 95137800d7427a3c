import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';

/** Checkpoints are stored after this much: a crash makes the reconciler check at most so many messages again. */
const SAVE_AFTER_S = 600;
const SAVE_AFTER_MESSAGES = 1_000;

/** How far a reconciler has checked. */
interface CheckpointDoc {
  _id: string;
  /** Unix time in seconds, as in ids. */
  second: number;
}

const checkpointSchema = new Schema<CheckpointDoc>(
  { _id: { type: String, required: true }, second: { type: Number, required: true } },
  { versionKey: false },
);
export const CheckpointModel = defineModel<CheckpointDoc>('Checkpoint', checkpointSchema, 'checkpoints');

/**
 * How far projections are known to be right, by name; in Unix seconds. They are stored less often than they move, because
 * a lone message would otherwise cost one write more.
 */
export class Checkpoints {
  private readonly reached = new Map<string, number>();
  private readonly stored = new Map<string, number>();
  private messages = 0;

  /** Reads those that are not known yet. */
  async read(names: string[]): Promise<void> {
    const unknown = names.filter((name) => !this.reached.has(name));
    if (unknown.length === 0) return;
    for (const { _id, second } of await CheckpointModel.find({ _id: { $in: unknown } }).lean()) {
      this.reached.set(_id, second);
      this.stored.set(_id, second);
    }
  }

  get(name: string): number | undefined {
    return this.reached.get(name);
  }

  /** Stores the first one, unless another node has. */
  async begin(name: string, second: number): Promise<void> {
    await CheckpointModel.updateOne({ _id: name }, { $setOnInsert: { second } }, { upsert: true });
  }

  /** Moves one forward, never back. */
  move(name: string, second: number): void {
    this.reached.set(name, Math.max(second, this.reached.get(name) ?? 0));
  }

  /** Stores those that moved, if it is due. @param messages the number of messages checked since the last call */
  async save(messages: number): Promise<void> {
    this.messages += messages;
    const moved = [...this.reached].filter(([name, second]) => second > (this.stored.get(name) ?? 0));
    const isFar = moved.some(([name, second]) => second - (this.stored.get(name) ?? 0) >= SAVE_AFTER_S);
    if (moved.length === 0 || !(isFar || this.messages >= SAVE_AFTER_MESSAGES)) return;
    const writes = moved.map(([_id, second]) => ({
      updateOne: { filter: { _id }, update: { $max: { second } }, upsert: true },
    }));
    await CheckpointModel.bulkWrite(writes, { ordered: false });
    for (const [name, second] of moved) this.stored.set(name, second);
    this.messages = 0;
  }

  /** Forgets all: another process may have moved them. */
  clear(): void {
    this.reached.clear();
    this.stored.clear();
  }
}
