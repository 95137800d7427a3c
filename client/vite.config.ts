import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVER = 'http://localhost:3000';
const SERVED_ELSEWHERE = ['/api', '/widget.js', '/widget', '/widget-preview', '/test', '/healthz', '/readyz'];

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    proxy: {
      ...Object.fromEntries(SERVED_ELSEWHERE.map((path) => [path, SERVER])),
      '/socket.io': { target: SERVER, ws: true },
    },
  },
  build: {
    target: 'es2022',
    // Small files written into the page as data: URLs would need a wider policy than `default-src 'self'`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // What draws the public pages runs once, at the end of the build, and needs no more than itself.
  ssr: { noExternal: true },
});
