export { searchChats } from './find.ts';
export { indexChats } from './indexer.ts';
export { beginningWith, ProgressModel } from './model.ts';
export { matchesTerm, stretchesOf, type Term, termsOf, wordsOf } from './words.ts';
