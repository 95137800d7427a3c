import type { WidgetConfig } from 'server/contract';
import { importBundledPart } from '../bundled-parts.ts';
import { start } from '../chat/chat.ts';
import type { ImportPart, Parts } from '../chat/context.ts';
import type { Host } from '../host.ts';
import { createDrawings } from '../live/drawings.ts';
import { createWidget } from '../widget.ts';

/** What the settings screen posts to its iframe: the config as it would be after saving. */
interface PreviewMessage {
  preview: WidgetConfig;
  /** The language that it shows; null: the browser's. */
  language: string | null;
  /** Shows the launcher alone. */
  closed?: boolean;
}

const endpoint = { origin: location.origin, code: 'preview', api: '' };
const nothing = () => {};
const never = () => new Promise<never>(nothing);
/** A preview sends nothing: this stands in for the part with the connection, and only draws. */
const startLive: Parts['live']['startLive'] = (context) => {
  const report = createDrawings(context);
  report();
  return {
    request: never,
    sendUpdate: never,
    loadEarlier: never,
    takeSent: never,
    reportPage: nothing,
    reportTyping: nothing,
    changeChat: nothing,
    post: nothing,
    stop: nothing,
    report,
  };
};
const load = ((name, attempt) =>
  name === 'live' ? Promise.resolve({ startLive }) : importBundledPart(name, attempt)) as ImportPart;
const startChat = (host: Host) => start(host, load);

let shown: ReturnType<typeof createWidget> | null = null;

function show({ preview: config, language, closed }: PreviewMessage): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith('parley:preview')) localStorage.removeItem(key);
  // As on a page that was left with the chat open: the panel opens without taking the focus. A greeting shows while it is closed.
  sessionStorage.setItem('parley:preview:open', closed || config.greetings ? '' : '1');
  shown?.destroy();
  shown = createWidget(
    endpoint,
    config,
    () => {},
    async () => ({ startChat }),
    language ? { language } : {},
  );
}

addEventListener('message', ({ origin, source, data }: MessageEvent<PreviewMessage>) => {
  if (origin === location.origin && source === parent && data?.preview) show(data);
});
parent.postMessage({ previewReady: true }, location.origin);
