import { decode } from '../bson/values.ts';
import { checkStorable, withId } from '../documents.ts';
import { failedToParse } from '../errors.ts';
import { type Command, checkArguments, namespace } from './call.ts';
import { isOrdered, type WriteError, writeError } from './writes.ts';

export const insert: Command = {
  writes: true,
  *run(call) {
    checkArguments(call, ['documents', 'ordered', 'bypassDocumentValidation']);
    const documents = call.documents;
    if (!documents?.length) throw failedToParse('insert needs documents');
    const ns = namespace(call);
    const writeErrors: WriteError[] = [];
    let n = 0;
    for (const [index, bytes] of documents.entries()) {
      if (index > 0) yield;
      const collection = call.engine.catalogue.need(ns);
      try {
        const raw = withId(bytes);
        const doc = decode(raw);
        checkStorable(doc, raw);
        collection.insert(raw, doc);
        n++;
      } catch (error) {
        writeErrors.push(writeError(error, index));
        if (isOrdered(call.body)) break;
      }
    }
    return { n, ...(writeErrors.length > 0 ? { writeErrors } : {}), ok: 1 };
  },
};
