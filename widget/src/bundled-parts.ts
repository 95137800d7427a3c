import type { ImportPart, Parts } from './chat/context.ts';

/** Imports every part from its source, where the chat is one bundle: in the preview and in tests. */
const SOURCES: { [Name in keyof Parts]: () => Promise<Parts[Name]> } = {
  live: () => import('./live/live.ts'),
  polling: () => import('./live/polling.ts'),
  commands: () => import('./commands/commands.ts'),
  form: () => import('./form/form.ts'),
  emoji: () => import('./emoji/emoji.ts'),
  files: () => import('./files/files.ts'),
  menu: () => import('./menu/menu.ts'),
  erasure: () => import('./menu/erasure.ts'),
  alert: () => import('./alert/alert.ts'),
  ar: () => import('./languages/ar.ts'),
  de: () => import('./languages/de.ts'),
  es: () => import('./languages/es.ts'),
  fa: () => import('./languages/fa.ts'),
  fr: () => import('./languages/fr.ts'),
  hi: () => import('./languages/hi.ts'),
  ja: () => import('./languages/ja.ts'),
  pt: () => import('./languages/pt.ts'),
  ru: () => import('./languages/ru.ts'),
  tr: () => import('./languages/tr.ts'),
  zh: () => import('./languages/zh.ts'),
  'more-en': () => import('./languages/en.ts'),
  'more-ar': () => import('./languages/ar.ts'),
  'more-de': () => import('./languages/de.ts'),
  'more-es': () => import('./languages/es.ts'),
  'more-fa': () => import('./languages/fa.ts'),
  'more-fr': () => import('./languages/fr.ts'),
  'more-hi': () => import('./languages/hi.ts'),
  'more-ja': () => import('./languages/ja.ts'),
  'more-pt': () => import('./languages/pt.ts'),
  'more-ru': () => import('./languages/ru.ts'),
  'more-tr': () => import('./languages/tr.ts'),
  'more-zh': () => import('./languages/zh.ts'),
};

export const importBundledPart: ImportPart = (name) => SOURCES[name]();
