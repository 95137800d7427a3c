import type { WidgetConfig } from 'server/contract';
import { importBundledPart } from '../bundled-parts.ts';
import { start } from '../chat/chat.ts';
import type { ImportPart } from '../chat/context.ts';
import type { Host } from '../host.ts';
import { createWidget } from '../widget.ts';

/** What the settings screen posts to its iframe: the config as it would be after saving. */
interface PreviewMessage {
  preview: WidgetConfig;
  /** Shows the launcher alone. */
  closed?: boolean;
}

const endpoint = { origin: location.origin, code: 'preview', api: '' };
/** A preview sends nothing: the part with the connection never loads. */
const load: ImportPart = (name, attempt) =>
  name === 'live' ? new Promise(() => {}) : importBundledPart(name, attempt);
const startChat = (host: Host) => start(host, load);

let shown: ReturnType<typeof createWidget> | null = null;

function show({ preview: config, closed }: PreviewMessage): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith('parley:preview')) localStorage.removeItem(key);
  // As on a page that was left with the chat open: the panel opens without taking the focus. A greeting shows while it is closed.
  sessionStorage.setItem('parley:preview:open', closed || config.greetings ? '' : '1');
  shown?.destroy();
  shown = createWidget(
    endpoint,
    config,
    () => {},
    async () => ({ startChat }),
    {},
  );
}

addEventListener('message', ({ origin, source, data }: MessageEvent<PreviewMessage>) => {
  if (origin === location.origin && source === parent && data?.preview) show(data);
});
parent.postMessage({ previewReady: true }, location.origin);
