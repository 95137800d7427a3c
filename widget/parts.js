const LANGUAGES = ['ar', 'de', 'es', 'fa', 'fr', 'hi', 'ja', 'pt', 'ru', 'tr', 'zh'];

/** What a page loads only where somebody needs it: each a file of its own by this name, from what stands in `src/`. */
export const PARTS = {
  live: "export * from './live/live.ts'",
  polling: "export * from './live/polling.ts'",
  commands: "export * from './commands/commands.ts'",
  form: "export * from './form/form.ts'",
  emoji: "export * from './emoji/emoji.ts'",
  files: "export * from './files/files.ts'",
  menu: "export * from './menu/menu.ts'",
  erasure: "export * from './menu/erasure.ts'",
  alert: "export * from './alert/alert.ts'",
  'more-en': "export { more } from './languages/en.ts'",
  ...Object.fromEntries(LANGUAGES.flatMap(languageParts)),
};

/** The words of the chat itself, and those of its parts. */
function languageParts(language) {
  return [
    [language, `export { words } from './languages/${language}.ts'`],
    [`more-${language}`, `export { more } from './languages/${language}.ts'`],
  ];
}
