/** The text of a file: Vite gives it for `?raw`, and esbuild by its loader `text` for `.md`. */
declare module '*.md?raw' {
  const text: string;
  export default text;
}
