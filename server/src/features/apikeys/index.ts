export { apiKeysOf, removeApiKeysOf } from './actions.ts';
export { createKeyCallers } from './callers.ts';
export { livingKey } from './model.ts';
