export { summaryOf } from './reference.ts';
export { apiReference } from './routes.ts';
