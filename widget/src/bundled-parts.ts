import type { ImportPart, Parts } from './chat/context.ts';
import type { LanguageName } from './chat/language.ts';

/** Imports every part from its source, where the chat is one bundle: in the preview and in tests. */
const SOURCES: { [Name in keyof Parts]?: () => Promise<Parts[Name]> } = {
  inline: () => import('./inline/inline.ts'),
  live: () => import('./live/live.ts'),
  polling: () => import('./live/polling.ts'),
  commands: () => import('./commands/commands.ts'),
  form: () => import('./form/form.ts'),
  emoji: () => import('./emoji/emoji.ts'),
  files: () => import('./files/files.ts'),
  formatting: () => import('./formatting/formatting.ts'),
  changes: () => import('./changes/changes.ts'),
  menu: () => import('./menu/menu.ts'),
  rating: () => import('./rating/rating.ts'),
  erasure: () => import('./menu/erasure.ts'),
  teaser: () => import('./teaser/teaser.ts'),
  greetings: () => import('./greetings/greetings.ts'),
  articles: () => import('./articles/articles.ts'),
  assistant: () => import('./assistant/assistant.ts'),
  alert: () => import('./alert/alert.ts'),
  opening: () => import('./opening/opening.ts'),
  departments: () => import('./departments/departments.ts'),
  flows: () => import('./flows/flows.ts'),
  typing: () => import('./typing/typing.ts'),
};

/** The texts of a language: `de`, `more-de` or `assistant-de`. */
async function importTexts(name: string) {
  const [of, language = of] = name.split('-') as [string, LanguageName?];
  if (of !== 'assistant') return import(`./languages/${language}.ts`);
  return { texts: (await import('./assistant/languages.ts'))[language as LanguageName] };
}

export const importBundledPart: ImportPart = (name) => SOURCES[name]?.() ?? importTexts(name);
