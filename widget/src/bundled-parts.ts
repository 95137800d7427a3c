import type { ImportPart, Parts } from './chat/context.ts';

/** Imports every part from its source, where the chat is one bundle: in the preview and in tests. */
const SOURCES: { [Name in keyof Parts]?: () => Promise<Parts[Name]> } = {
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
  alert: () => import('./alert/alert.ts'),
};

export const importBundledPart: ImportPart = (name) =>
  SOURCES[name]?.() ?? import(`./languages/${name.replace('more-', '')}.ts`);
