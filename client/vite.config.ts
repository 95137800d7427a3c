import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVER = 'http://localhost:3000';
const SERVED_ELSEWHERE = ['/api', '/widget.js', '/widget', '/widget-preview', '/test', '/healthz', '/readyz'];

/** Icons of public pages. A public page that uses another icon loads those of all screens: add it here. */
const PUBLIC_ICONS =
  'check|check-check|circle-check|circle-dashed|circle-x|copy|globe|loader-circle|messages-square|moon|pause|play|rotate-ccw|sun|users';
const BASE = 'app/public|shared/(PublicLayout|Logo)|lib/(cx|i18n|paths|storage|theme|token)';
const BASE_PARTS = 'Avatar|Badge|Button|CopyButton|IconButton|Spinner|ThemeSwitch|Tooltip';

/** Modules of `lib` that load with the few screens that use them. */
const RARE_LIB = 'desktopNotifications|deviceToken|sound|upload|userAgent|webPush';
/** What most screens of the dashboard use, beside its frame. */
const COMMON_PARTS =
  'AlertDialog|ConfirmDialog|Dialog|DropdownMenu|EmptyState|IconLink|Popover|Select|ShowMore|Skeleton|Switch|Time|actionToast|failureToast';
const COMMON_FEATURES = 'overview/(activity|api)|chats/(inboxKeys|url|model/chatPages)|sites/api';
const FRAME = `app/(DashboardProviders|shell/Shell)|lib/(?!${RARE_LIB})\\w+|shared/(saveFile|useAction|visitorName)|ui/(${COMMON_PARTS})|features/(${COMMON_FEATURES})`;

/** Parts of the inbox that load when it is idle, or when they are needed. */
const TOOLS =
  'composer/(EmojiPanel|ManageReplies|SuggestionMenus)|filters/(FilterParts|ViewDialogs)|list/NoChats|snooze/SnoozeDialog|thread/FindBar';

/**
 * The files of the build. A file has these sources and all that they import, except what an earlier file has. By default, each
 * combination of screens that use something has a file of its own: a hundred files of a few hundred bytes, each with a request of its own.
 */
const FILES = {
  base: new RegExp(
    `/src/(${BASE}|ui/(${BASE_PARTS}))\\.tsx?$|/icons/(${PUBLIC_ICONS})\\.m?js$|/react-dom/client\\.js$`,
  ),
  icons: /\/lucide-react\/dist\/esm\/icons\//,
  app: /\/src\/(app\/App|lib\/(languages|rich)|ui\/(ErrorState|Field|Input|PasswordInput))\.tsx?$/,
  form: /\/react-hook-form\//,
  frame: new RegExp(`/src/(${FRAME})\\.tsx?$`),
  charts: /\/src\/ui\/charts\//,
  home: /\/src\/features\/overview\/OverviewPage\.tsx$/,
  inbox: /\/src\/features\/chats\/InboxPage\.tsx$/,
  shell: /\/src\/app\/shell\/(AvailabilitySwitch|BackgroundTasks|SearchBox|menuItems)\.tsx$/,
  panels: /\/src\/(ui\/panels\/\w+Panels?|app\/shell\/(NotificationList|ShortcutHelp))\.tsx$/,
  chat: /\/src\/features\/chats\/(filters\/ViewMenu|list\/WhyNoChats|thread\/OpenChat)\.tsx$/,
  selection: /\/src\/features\/chats\/selection\/api\.tsx$/,
  tools: new RegExp(`/src/features/chats/(${TOOLS})\\.tsx$`),
};

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
          // An icon of one screen stays with that screen.
          groups: Object.entries(FILES).map(([name, test]) => ({
            name,
            test,
            minShareCount: name === 'icons' ? 2 : 1,
          })),
        },
      },
    },
  },
  // What draws the public pages runs once, at the end of the build, and needs no more than itself.
  ssr: { noExternal: true },
});
