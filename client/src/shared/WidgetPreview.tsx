import { useEffect, useRef, useState } from 'react';
import type { WidgetConfig } from 'server/contract';

/** Debounce of updates while somebody types. */
const DEBOUNCE_MS = 150;

/** The real widget, in a frame, as it would look with these settings. */
export function WidgetPreview({ config }: { config: WidgetConfig }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const serialized = JSON.stringify(config);

  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<{ previewReady?: true } | null>) => {
      if (source === frame.current?.contentWindow && origin === location.origin && data?.previewReady) setReady(true);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);

  useEffect(() => {
    if (!ready) return;
    const preview: WidgetConfig = JSON.parse(serialized);
    const timer = setTimeout(
      () => frame.current?.contentWindow?.postMessage({ preview }, location.origin),
      DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [ready, serialized]);

  return (
    // Scaled down: in a narrow frame the widget would switch to its phone layout.
    <div className="h-[434px] w-[318px] overflow-hidden rounded-card border bg-background sm:h-[532px] sm:w-[392px]">
      <iframe
        ref={frame}
        src="/widget-preview/"
        title="Preview of the widget"
        className="h-[760px] w-[560px] origin-top-left scale-[.57] sm:scale-[.7]"
      />
    </div>
  );
}
