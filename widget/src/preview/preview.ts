import type { WidgetConfig } from 'server/contract';
import { start } from '../chat/chat.ts';
import type { LoadPart } from '../chat/parts.ts';
import type { Frame } from '../frame.ts';
import { loadSource } from '../parts.ts';
import { createWidget } from '../widget.ts';

/** What the settings screen tells its frame: the config as it would be after saving. */
interface Told {
  preview: WidgetConfig;
}

const place = { origin: location.origin, code: 'preview', api: '' };
/** Nothing of a preview is sent: the line to the server never comes. */
const load: LoadPart = (name, attempt) => (name === 'live' ? new Promise(() => {}) : loadSource(name, attempt));
const startChat = (frame: Frame) => start(frame, load);

let shown: ReturnType<typeof createWidget> | null = null;

function show(config: WidgetConfig): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith('parley:preview')) localStorage.removeItem(key);
  // A page that was left with the chat open finds it open again, and nobody's focus is taken.
  sessionStorage.setItem('parley:preview:open', '1');
  shown?.destroy();
  shown = createWidget(
    place,
    config,
    () => {},
    async () => ({ startChat }),
    {},
  );
}

addEventListener('message', ({ origin, source, data }: MessageEvent<Told>) => {
  if (origin === location.origin && source === parent && data?.preview) show(data.preview);
});
parent.postMessage({ previewReady: true }, location.origin);
