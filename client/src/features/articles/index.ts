// The help centre, and what other screens know of its articles.
export { useArticles, useHelpCenter, useQuestions } from './api.ts';
export { directionOf, inMain, languageName, titleOf } from './words.ts';
