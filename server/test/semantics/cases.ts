/** A document, a filter, an update: whatever the driver takes. */
export type Doc = Record<string, unknown>;

/** Which of some documents (their `_id`s are 1, 2, 3, …) a filter finds. */
export type FindCase = [name: string, docs: Doc[], filter: Doc, ids: number[]];

/** In which order a sort gives some documents. */
export type SortCase = [name: string, docs: Doc[], sort: Doc, ids: number[]];

/** What a projection leaves of a document, without its `_id`. */
export type ProjectCase = [name: string, doc: Doc, projection: Doc, left: Doc, filter?: Doc];

/** What becomes of a document, or the code of the refusal. */
export type UpdateCase = [name: string, doc: Doc, update: Doc, after: Doc | number, options?: { filter?: Doc }];

/** What an upsert makes that finds nothing, without a made `_id`, or the code of the refusal. */
export type UpsertCase = [name: string, filter: Doc, update: Doc, made: Doc | number];

/** Whether a second document meets the first on a unique index, and by which `keyValue`. */
export type UniqueCase = [
  name: string,
  key: Record<string, 1 | -1>,
  options: Doc,
  first: Doc,
  second: Doc,
  keyValue: Doc | null,
];
