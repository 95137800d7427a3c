import type { WidgetConfig } from 'server/contract';
import { startChat } from '../chat/chat.ts';
import type { Frame, Kit } from '../frame.ts';
import { createWidget } from '../widget.ts';

/** What the settings screen tells its frame: the config as it would be after saving. */
interface Told {
  preview: WidgetConfig;
}

/** Nothing of a preview is kept, or sent: every call stays without an answer. */
const silent: Kit['call'] = () => new Promise(() => {});
const place = { origin: location.origin, code: 'preview', api: '' };
const start = (frame: Frame) => startChat({ ...frame, kit: { ...frame.kit, call: silent } });

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
    async () => ({ startChat: start }),
  );
}

addEventListener('message', ({ origin, source, data }: MessageEvent<Told>) => {
  if (origin === location.origin && source === parent && data?.preview) show(data.preview);
});
parent.postMessage({ previewReady: true }, location.origin);
