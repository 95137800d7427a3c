import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { removeOne } from '#platform/database';
import { SECOND_MS } from '#platform/time';

/** The fields by which a queue keeps documents that are work; all others belong to the collection's owner. */
export interface WorkDoc {
  _id: unknown;
  /** When it is tried next, or when its lease ends, should the process die while it works. Removed when it is over. */
  dueAt?: Date;
  /** Tries, each counted when it begins; one that was put off does not count. */
  attempts?: number;
  /** How often in a row it was taken and came to no end, because the process died; removed by every end. */
  takes?: number;
}

/** The part of a schema that `WorkDoc` describes. */
export const workFields = {
  dueAt: { type: Date },
  attempts: { type: Number, default: 0 },
  takes: { type: Number },
} as const;

/** Filter of what is still to be done. */
export const IS_WAITING = { dueAt: { $exists: true } };

/** The collection of a queue, and how its documents are partitioned and ordered. */
export interface WorkSource<Doc extends WorkDoc> {
  model: Model<Doc>;
  /** The partition key: its values are served round robin. Needs an index of it and `dueAt`, in this order. */
  partitionBy: string & keyof Doc;
  /** Leaves out work that cannot be done now. */
  filter?: QueryFilter<Doc>;
  /**
   * The ordering key (`field`) and the order of the work that shares it: only the first one is tried, the others wait (FIFO).
   * Needs an index of `partitionBy`, the field and the order.
   */
  ordering?: { field: string & keyof Doc; order: Readonly<Record<string, 1>> };
  /** Longer than a try takes between two renewals: after it, the process that took the work must have died. */
  leaseMs: number;
  /** The wait after each failure, in milliseconds; the last value holds for all further ones. */
  backoffMs: readonly number[];
}

/** What the end of a try changes in its document. */
interface Change<Doc> {
  set?: Partial<Doc>;
  unset?: (string & keyof Doc)[];
  /** What must not have changed meanwhile. Otherwise the work stays as it is, and is taken again after its lease. */
  onlyIf?: QueryFilter<Doc>;
}

/** How a try ended. */
export type Outcome<Doc> =
  /** It is over, and the document stays. */
  | ({ end: 'done' } & Change<Doc>)
  /** It is over, and the document is removed. */
  | ({ end: 'deleted' } & Pick<Change<Doc>, 'onlyIf'>)
  /** It is tried again, by default after the usual back-off. @param at milliseconds */
  | ({ end: 'failed'; at?: number } & Change<Doc>)
  /** It was not tried. @param at milliseconds; `whole`: all due work of its partition waits, too */
  | ({ end: 'later'; at: number; whole?: boolean } & Change<Doc>);

/** The backoff: how long the next try waits after so many attempts. */
export function backoffOf(backoffMs: readonly number[], attempts = 1): number {
  return backoffMs[Math.min(attempts, backoffMs.length) - 1] ?? SECOND_MS;
}

/** Takes work under a lease and ends it. Of several nodes only one gets it. */
export interface WorkLeases<Doc extends WorkDoc> {
  keyOf(doc: Doc): string;
  /** The earliest work of the next partition with any. @param after its predecessor; null: from the first one */
  firstAfter(after: string | null): Promise<Doc | null>;
  /** The earliest work of a partition. */
  firstOf(key: string): Promise<Doc | null>;
  /** Takes the next due work of a partition. @param busy ordering keys that are left out */
  take(key: string, busy: ReadonlySet<unknown>, now: number): Promise<Doc | null>;
  /**
   * Takes the next work with the same ordering key, although it is not due yet, because it only waited for the last one. Work
   * that was tried before is left alone, because another node may have taken it.
   */
  takeNext(last: Doc, now: number): Promise<Doc | null>;
  /** Makes the next work with the same ordering key due, in place of taking it. */
  makeNextDue(last: Doc, now: number): Promise<void>;
  /** Makes all waiting work of a partition due, except tries under way. */
  retryNow(key: string, now: number): Promise<void>;
  /** Prolongs the lease. @param progress is stored, and shows that the work gets on @returns whether it was still held */
  renew(doc: Doc, now: number, progress?: Partial<Doc>): Promise<boolean>;
  /** Stores how a try ended. @returns when it is due again; null: it is over, or the lease was lost */
  end(doc: Doc, outcome: Outcome<Doc>, now: number): Promise<number | null>;
}

/** Creates the leases of a queue. The time at which a lease ends is its fencing token: each take makes a later one. */
export function createWorkLeases<Doc extends WorkDoc>(source: WorkSource<Doc>): WorkLeases<Doc> {
  const { model, partitionBy, filter = {}, ordering, leaseMs, backoffMs } = source;

  // Mongoose cannot type filters whose keys are computed.
  const where = (more: object) => ({ ...filter, ...more }) as QueryFilter<Doc>;
  const update = (change: object) => change as UpdateQuery<Doc>;
  const keyOf = (doc: Doc) => String(doc[partitionBy] ?? '');
  /** Work without a partition has the key ''. */
  const of = (key: string) => ({ [partitionBy]: key === '' ? { $in: ['', null] } : key });
  const withOrderingKey = (doc: Doc) =>
    ordering ? { ...of(keyOf(doc)), [ordering.field]: doc[ordering.field] } : of(keyOf(doc));
  const underLease = ({ _id, dueAt }: Doc, onlyIf: object = {}) =>
    ({ _id, dueAt: dueAt ?? null, ...onlyIf }) as QueryFilter<Doc>;

  function find(filter: object, sort: Record<string, 1>): Promise<Doc | null> {
    return model.findOne(where(filter)).sort(sort).lean<Doc>().exec();
  }

  function takeFirst(filter: object, sort: Record<string, 1>, now: number): Promise<Doc | null> {
    const lease = update({ $set: { dueAt: new Date(now + leaseMs) }, $inc: { attempts: 1, takes: 1 } });
    return model.findOneAndUpdate(where(filter), lease, { sort, returnDocument: 'after' }).lean<Doc>().exec();
  }

  /** Makes other work wait, except tries under way. */
  async function postpone(whose: object, dueAt: Date): Promise<void> {
    await model.updateMany({ ...whose, takes: null } as QueryFilter<Doc>, update({ $set: { dueAt } }));
  }

  const headOf = (doc: Doc) => find({ ...withOrderingKey(doc), ...IS_WAITING }, ordering?.order ?? {});

  const makeDue = (head: Doc, now: number) => postpone({ _id: head._id, attempts: 0, ...IS_WAITING }, new Date(now));

  async function takeInOrder(key: string, busy: ReadonlySet<unknown>, now: number): Promise<Doc | null> {
    const { field = '', order = {} } = ordering ?? {};
    const skipped = new Set(busy);
    for (;;) {
      const due = await find(
        { ...of(key), dueAt: { $lte: new Date(now) }, [field]: { $nin: [...skipped] } },
        { dueAt: 1, ...order },
      );
      const head = due && (await headOf(due));
      if (!head) return null;
      if (head.dueAt && head.dueAt.getTime() > now) {
        await postpone({ ...withOrderingKey(head), dueAt: { $lt: head.dueAt } }, head.dueAt);
        // Another node may have ended the head before this write: nobody else would wake what follows before its lease ends.
        const headNow = await headOf(head);
        if (headNow && String(headNow._id) !== String(head._id)) await makeDue(headNow, now);
        // What a process took before it died cannot be postponed: it stays due, and waits for the head.
        else skipped.add((head as Record<string, unknown>)[field]);
      } else {
        const taken = await takeFirst({ _id: head._id, dueAt: head.dueAt ?? null }, {}, now);
        if (taken) return taken;
      }
    }
  }

  async function reschedule(
    doc: Doc,
    dueAt: Date,
    { set, unset = [], onlyIf }: Change<Doc>,
    isTry: boolean,
  ): Promise<number | null> {
    const { matchedCount } = await model.updateOne(
      underLease(doc, onlyIf),
      update({
        $set: { ...set, dueAt },
        $unset: fieldsOf(['takes', ...unset]),
        ...(!isTry && { $inc: { attempts: -1 } }),
      }),
    );
    if (matchedCount === 0) return null;
    if (ordering) await postpone({ ...withOrderingKey(doc), dueAt: { $lt: dueAt } }, dueAt);
    return dueAt.getTime();
  }

  return {
    keyOf,
    firstAfter: (after) =>
      find({ ...(after !== null && { [partitionBy]: { $gt: after } }), ...IS_WAITING }, { [partitionBy]: 1, dueAt: 1 }),
    firstOf: (key) => find({ ...of(key), ...IS_WAITING }, { dueAt: 1 }),
    take: (key, busy, now) =>
      ordering
        ? takeInOrder(key, busy, now)
        : takeFirst({ ...of(key), dueAt: { $lte: new Date(now) } }, { [partitionBy]: 1, dueAt: 1 }, now),
    async takeNext(last, now) {
      const head = await headOf(last);
      return head && takeFirst({ _id: head._id, attempts: 0, ...IS_WAITING }, {}, now);
    },
    async makeNextDue(last, now) {
      const head = await headOf(last);
      if (head) await makeDue(head, now);
    },
    retryNow: (key, now) => postpone({ ...of(key), dueAt: { $gt: new Date(now) } }, new Date(now)),
    async renew(doc, now, progress) {
      const dueAt = new Date(now + leaseMs);
      const { matchedCount } = await model.updateOne(
        underLease(doc),
        update({ $set: { ...progress, dueAt, ...(progress && { takes: 1 }) } }),
      );
      doc.dueAt = dueAt;
      return matchedCount > 0;
    },
    async end(doc, outcome, now) {
      if (outcome.end === 'deleted') {
        await removeOne(model, underLease(doc, outcome.onlyIf));
        return null;
      }
      if (outcome.end === 'done') {
        const { set, unset = [], onlyIf } = outcome;
        await model.updateOne(
          underLease(doc, onlyIf),
          update({ $set: { ...set }, $unset: fieldsOf(['dueAt', 'takes', ...unset]) }),
        );
        return null;
      }
      if (outcome.end === 'failed') {
        const { at = now + backoffOf(backoffMs, doc.attempts) } = outcome;
        return reschedule(doc, new Date(at), outcome, true);
      }
      const at = new Date(outcome.at);
      const dueAt = await reschedule(doc, at, outcome, false);
      if (outcome.whole) await postpone({ ...of(keyOf(doc)), dueAt: { $lte: new Date(now) } }, at);
      return dueAt;
    },
  };
}

const fieldsOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));
