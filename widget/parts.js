const LANGUAGES = ['ar', 'de', 'es', 'fa', 'fr', 'hi', 'ja', 'pt', 'ru', 'tr', 'zh'];

/** The other chats whose APIs a page may go on calling; `src/shims/` has a script for each. */
export const SHIMS = ['tawk', 'crisp', 'chatwoot', 'intercom'];

/** The parts of the chat that are loaded when they are needed: the name of each file, and what it exports from `src/`. */
export const PARTS = {
  inline: "export * from './inline/inline.ts'",
  live: "export * from './live/live.ts'",
  polling: "export * from './live/polling.ts'",
  commands: "export * from './commands/commands.ts'",
  form: "export * from './form/form.ts'",
  emoji: "export * from './emoji/emoji.ts'",
  files: "export * from './files/files.ts'",
  formatting: "export * from './formatting/formatting.ts'",
  changes: "export * from './changes/changes.ts'",
  menu: "export * from './menu/menu.ts'",
  rating: "export * from './rating/rating.ts'",
  erasure: "export * from './menu/erasure.ts'",
  teaser: "export * from './teaser/teaser.ts'",
  greetings: "export * from './greetings/greetings.ts'",
  articles: "export * from './articles/articles.ts'",
  assistant: "export * from './assistant/assistant.ts'",
  alert: "export * from './alert/alert.ts'",
  opening: "export { start } from './opening/opening.ts'",
  departments: "export * from './departments/departments.ts'",
  flows: "export * from './flows/flows.ts'",
  typing: "export * from './typing/typing.ts'",
  'more-en': "export { more } from './languages/en.ts'",
  'assistant-en': "export { en as texts } from './assistant/languages.ts'",
  ...Object.fromEntries(LANGUAGES.flatMap(languageParts)),
};

/** Three files for each language: the texts of the chat itself, those of its parts, and those of the assistant, which few sites have. */
function languageParts(language) {
  return [
    [language, `export { texts } from './languages/${language}.ts'`],
    [`more-${language}`, `export { more } from './languages/${language}.ts'`],
    [`assistant-${language}`, `export { ${language} as texts } from './assistant/languages.ts'`],
  ];
}
