export { assistantOf } from './settings/settings.ts';
