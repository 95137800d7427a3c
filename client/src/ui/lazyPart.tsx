import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { codeOf } from '../lib/release.ts';
import { Dialog } from './Dialog.tsx';
import { ErrorBoundary, type Place } from './ErrorBoundary.tsx';

/** How long after the dashboard's frame, or after the screen that has it, a part is loaded that nobody has opened. */
const IDLE_AFTER_MS = 1_000;

interface LazyOptions<Props> {
  /** Stands in for it until it is loaded. */
  waiting?: ReactNode;
  place?: Place;
  /** Puts what is said of a failure where it can be read. */
  frame?: (sentence: ReactNode, props: Props) => ReactNode;
}

let showFrame = () => {};
const frameShown = new Promise<void>((resolve) => {
  showFrame = resolve;
});

/** Loads a component lazily: one that is rare and heavy, or a screen. If that fails, its place says so and tries again. */
export function lazyPart<Props extends object>(
  request: () => Promise<ComponentType<Props>>,
  { waiting = null, place = 'part', frame = (sentence) => sentence }: LazyOptions<Props> = {},
) {
  const code = codeOf(request);
  if (place !== 'screen' && place !== 'page') void loadWhenIdle(code.load);
  // What is loaded is drawn at once. Each other try has a component of its own, since `lazy` keeps a failure for ever.
  const ask = () => ({ Loaded: code.loaded() ?? lazy(async () => ({ default: await code.load() })) });
  return Object.assign(
    ({ resetOn, ...rest }: Props & { resetOn?: unknown }) => {
      const props = rest as Props;
      const [{ Loaded }, setLoaded] = useState(ask);
      return (
        <ErrorBoundary
          place={place}
          frame={(sentence) => frame(sentence, props)}
          resetOn={resetOn}
          onReset={() => setLoaded(ask)}
        >
          <Suspense fallback={waiting}>
            <Loaded {...props} />
          </Suspense>
        </ErrorBoundary>
      );
    },
    { load: code.load, isLoaded: () => code.loaded() !== undefined },
  );
}

interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Loads a dialog when it is opened first. What is said of a failure is a dialog, too. */
export function lazyDialog<Props extends DialogState>(request: () => Promise<ComponentType<Props>>) {
  const Part = lazyPart<Props>(request, {
    frame: (sentence, { open, onOpenChange }) => (
      <Dialog open={open} onOpenChange={onOpenChange} title={t('Notice')}>
        {sentence}
      </Dialog>
    ),
  });
  return (props: Props) => (props.open || Part.isLoaded()) && <Part {...props} />;
}

/** Prefetches a part before it is opened, so that it opens even if the server is down by then. */
async function loadWhenIdle(load: () => Promise<unknown>): Promise<void> {
  await frameShown;
  await new Promise((done) => setTimeout(done, IDLE_AFTER_MS));
  // Who opens it tries again, and sees what becomes of it.
  await load().catch(() => undefined);
}

/** Tells that the dashboard's frame is shown: the parts of its screens can be loaded from now on. */
export function useWarmUp(): void {
  useEffect(() => showFrame(), []);
}
