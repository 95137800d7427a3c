export { batched } from './batcher.ts';
export { createDocumentCache } from './documentCache.ts';
