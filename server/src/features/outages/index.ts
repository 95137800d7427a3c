export { outageNotices } from './outages.ts';
