import { join } from 'node:path';
import { build } from 'esbuild';
import { gzipBytes } from '../build/compress.js';
import { ROOT } from '../setup.js';

/** The libraries of every screen of the dashboard: of each only what the dashboard imports. */
const LIBRARIES = `
  export { createRoot } from 'react-dom/client';
  export { createBrowserRouter, RouterProvider, Link, NavLink, Navigate, Outlet, useBlocker, useSearchParams } from 'react-router-dom';
  export { QueryClient, QueryClientProvider, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
  export { default as axios } from 'axios';
  export { io } from 'socket.io-client';
  export { default as toast, Toaster } from 'react-hot-toast';
`;

/** What a screen imports besides. */
const EXTRA = { inbox: "export { useVirtualizer } from '@tanstack/react-virtual';" };

/**
 * The gzip size of a screen's libraries alone: the reference for the size of its scripts. It is measured in the same run, because
 * a library's next version may be larger.
 */
export async function baselineBytes(screen) {
  const { outputFiles } = await build({
    stdin: { contents: LIBRARIES + (EXTRA[screen] ?? ''), resolveDir: join(ROOT, 'client') },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    write: false,
  });
  return gzipBytes(outputFiles[0].contents);
}
