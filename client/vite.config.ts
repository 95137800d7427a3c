import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVER = 'http://localhost:3000';
const SERVED_ELSEWHERE = ['/api', '/widget.js', '/widget', '/widget-preview', '/test', '/healthz', '/readyz'];

const ICONS = 'crown|ellipsis|history|house|inbox|log-out|plus|search|settings';
const PARTS = 'AlertDialog|Dialog|DropdownMenu|EmptyState|IconLink|Popover|Skeleton|Switch|Time|onDemand';
const TOOLS = 'clientId|composing|format|preferences|timing';
/**
 * What the frame of the dashboard and most of its screens use, in one file: twenty files of a few hundred bytes cost more
 * than what is in them. Nothing that a public page uses, which would then load all of it.
 */
const FRAME = new RegExp(`/icons/(${ICONS})\\.m?js$|/src/ui/(${PARTS})\\.tsx?$|/src/lib/(${TOOLS})\\.tsx?$`);

/** The same for what the public pages and the dashboard have in common. */
const BASE =
  /\/src\/(lib\/(cx|i18n|paths|storage|theme|token)|shared\/Logo|ui\/(Avatar|Badge|Button|IconButton|Spinner|ThemeSwitch|Tooltip))\.tsx?$/;

/** What asks the server and keeps what it answered, with its libraries: every page but the public ones needs all of it. */
const CALLS =
  /\/src\/lib\/(api|auth|claims|http|languages|query)\.tsx?$|\/node_modules\/(axios|@tanstack\/(react-query|query-core)|react-hot-toast|goober)\//;

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
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'frame', test: FRAME },
            { name: 'base', test: BASE },
            { name: 'calls', test: CALLS },
          ],
        },
      },
    },
  },
  // What draws the public pages runs once, at the end of the build, and needs no more than itself.
  ssr: { noExternal: true },
});
