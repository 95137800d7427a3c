export { type ActionTokens, createActionTokens } from './actionTokens.ts';
