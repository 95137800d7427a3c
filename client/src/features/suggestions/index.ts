// What an agent may answer to a visitor's question, offered above the field.
export { SuggestionStrip } from './SuggestionStrip.tsx';
export { SUGGESTION_SHORTCUTS, useSuggestedAnswers } from './suggestedAnswers.ts';
