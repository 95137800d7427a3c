export { chatPages } from './page.ts';
