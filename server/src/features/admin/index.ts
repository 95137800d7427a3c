export { changeAccount } from './accounts.ts';
