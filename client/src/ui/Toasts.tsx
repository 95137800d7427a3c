import { type DefaultToastOptions, Toaster, useToaster } from 'react-hot-toast';

const DEFAULT_MS = 4_000;
const SUCCESS_MS = 3_000;
const ERROR_MS = 5_000;

const OPTIONS: DefaultToastOptions = {
  duration: DEFAULT_MS,
  style: {
    background: 'var(--color-raised)',
    color: 'var(--color-text)',
    border: '1px solid var(--color-line)',
    borderRadius: 'var(--radius-card)',
    boxShadow: 'var(--shadow-float)',
    maxWidth: 'min(24rem, calc(100vw - 2rem))',
    overflowWrap: 'anywhere',
  },
  success: {
    duration: SUCCESS_MS,
    // Nothing can be pressed in it, so clicks reach what is below.
    style: { pointerEvents: 'none' },
    iconTheme: { primary: 'var(--color-success)', secondary: 'var(--color-raised)' },
  },
  error: { duration: ERROR_MS, iconTheme: { primary: 'var(--color-danger)', secondary: 'var(--color-raised)' } },
};

/** Whether something is in a toast. */
export const isInToast = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-toasts]') !== null;

/**
 * Where toasts come up: top right, over the top bar, so that a screen's own buttons below it stay in sight. They stay while the
 * pointer is over them, or one of their buttons has the focus.
 */
export function Toasts() {
  const { handlers } = useToaster(OPTIONS);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only follows the focus of the buttons in it
    <div onFocus={handlers.startPause} onBlur={handlers.endPause} data-toasts>
      <Toaster position="top-right" containerStyle={{ top: 8 }} toastOptions={OPTIONS} />
    </div>
  );
}
