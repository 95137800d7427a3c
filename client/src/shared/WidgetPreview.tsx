import { useEffect, useRef, useState } from 'react';
import type { WidgetConfig } from 'server/contract';
import { cx } from '../lib/cx.ts';
import { t } from '../lib/i18n.ts';

/** Debounce of updates while somebody types. */
const DEBOUNCE_MS = 150;

interface WidgetPreviewProps {
  config: WidgetConfig;
  /** The widget's own language; null: the dashboard's. */
  language?: string | null;
  /** Shows the launcher alone. */
  closed?: boolean;
  /** Only as high as the closed widget with a greeting needs. */
  low?: boolean;
}

/** The real widget, in a frame, as it would look with these settings. */
export function WidgetPreview({ config, language = null, closed = false, low = false }: WidgetPreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const serialized = JSON.stringify({ preview: config, language, closed });

  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<{ previewReady?: true } | null>) => {
      if (source === frame.current?.contentWindow && origin === location.origin && data?.previewReady) setReady(true);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);

  useEffect(() => {
    if (!ready) return;
    const timer = setTimeout(
      () => frame.current?.contentWindow?.postMessage(JSON.parse(serialized), location.origin),
      DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [ready, serialized]);

  return (
    // Scaled down: in a narrow frame the widget would switch to its phone layout.
    <div
      dir="ltr"
      className={cx(
        'w-[318px] overflow-hidden rounded-card border bg-background sm:w-[392px]',
        low ? 'h-[205px] sm:h-[252px]' : 'h-[434px] sm:h-[532px]',
      )}
    >
      <iframe
        ref={frame}
        src="/widget-preview/"
        title={t('Preview of the widget')}
        className={cx('w-[560px] origin-top-left scale-[.57] sm:scale-[.7]', low ? 'h-[360px]' : 'h-[760px]')}
      />
    </div>
  );
}
