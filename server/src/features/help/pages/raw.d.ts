/** The text of a style sheet: Vite gives it for `?raw`, and esbuild by its loader `text` for `.css`. */
declare module '*.css?raw' {
  const text: string;
  export default text;
}
