export { batched } from './batcher.ts';
export { createDocumentCache } from './documentCache.ts';
export { recentlyUsed, rememberedIds } from './recentlyUsed.ts';
