export { supportersOf, walkHistory } from './find.ts';
export { historyFilterSchema } from './schemas.ts';
