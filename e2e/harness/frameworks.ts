import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { DocCode } from 'server/contract';

/** The frameworks whose snippets tests mount. */
export const FRAMEWORKS = ['react', 'vue', 'angular', 'nextjs'] as const;
type Framework = (typeof FRAMEWORKS)[number];

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** What mounts the snippet of an install guide, and gives back what unmounts it. The snippet is the module `snippet`. */
const APPS: Record<Framework, string> = {
  // Strict mode mounts, unmounts and mounts again.
  react: `
    import { createElement, StrictMode } from 'react';
    import { createRoot } from 'react-dom/client';
    import { ParleyChat } from 'snippet';
    export function mount() {
      const root = createRoot(document.querySelector('main'));
      root.render(createElement(StrictMode, null, createElement(ParleyChat)));
      return () => root.unmount();
    }`,
  vue: `
    import { createApp } from 'vue';
    import { useParley } from 'snippet';
    export function mount() {
      const app = createApp({ setup() { useParley(); return () => 'Vue'; } });
      app.mount('main');
      return () => app.unmount();
    }`,
  // Angular calls the same methods, but has 46 MB.
  angular: `
    import { ParleyChat } from 'snippet';
    export function mount() {
      const component = new ParleyChat();
      component.ngOnInit();
      return () => component.ngOnDestroy();
    }`,
  // A layout stays as long as the page.
  nextjs: `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import RootLayout from 'snippet';
    export function mount() {
      createRoot(document).render(createElement(RootLayout, null, 'Next.js'));
    }`,
};

/** In place of frameworks that are too large to install for a test. */
const STANDINS: Record<string, string> = {
  '@angular/core': 'export const Component = () => () => undefined;',
  // As the component of Next.js does: it makes a tag with all its properties, and leaves it there.
  'next/script': `
    import { useEffect } from 'react';
    export default function Script(props) {
      useEffect(() => {
        const tag = document.createElement('script');
        for (const [name, value] of Object.entries(props)) tag.setAttribute(name, value);
        document.body.append(tag);
      }, []);
      return null;
    }`,
};

/** A script with the global `mounted.mount()` for the snippet of a framework's guide. */
export async function bundleFor(framework: Framework, { code, language }: DocCode): Promise<string> {
  const modules: Record<string, string> = { ...STANDINS, snippet: code };
  const { outputFiles } = await build({
    stdin: { contents: APPS[framework], resolveDir: FOLDER },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'mounted',
    target: 'es2022',
    jsx: 'automatic',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: { vue: '@vue/runtime-dom' },
    plugins: [
      {
        name: 'modules',
        setup(on) {
          on.onResolve({ filter: /^(snippet|@angular\/core|next\/script)$/ }, ({ path }) => ({
            path,
            namespace: 'text',
          }));
          on.onLoad({ filter: /.*/, namespace: 'text' }, ({ path }) => ({
            contents: modules[path] ?? '',
            loader: path === 'snippet' && language === 'ts' ? 'ts' : 'jsx',
            resolveDir: FOLDER,
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}
