import { CodeError, type Served } from 'browser/loadCode';
import { Component, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { isUnsaved } from '../lib/release.ts';
import { ErrorState } from './ErrorState.tsx';

/** How often code that could not be loaded is requested again while its place is shown. */
const AGAIN_EVERY_MS = 4_000;

/** Where the children stand: a part or a line of a screen, a screen in the dashboard's frame, a page of its own, or nowhere. */
export type Place = 'part' | 'line' | 'screen' | 'page' | 'unseen';

interface ErrorBoundaryProps {
  place: Place;
  children: ReactNode;
  /** Around what is said of a part. */
  frame?: (sentence: ReactNode) => ReactNode;
  /** Another value renders children again that threw an error. */
  resetOn?: unknown;
  /** They are about to be rendered again. */
  onReset?: () => void;
}

interface Caught {
  failure: { error: unknown } | null;
  resetOn: unknown;
}

/** The error boundary: says in the place of its children what went wrong with them, and offers to try again. All around it keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Caught> {
  override state: Caught = { failure: null, resetOn: this.props.resetOn };

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ resetOn }: ErrorBoundaryProps, { failure, ...state }: Caught): Caught | null {
    if (resetOn === state.resetOn) return null;
    // Code that is missing comes by itself.
    return { failure: failure?.error instanceof CodeError ? failure : null, resetOn };
  }

  readonly reset = () => {
    this.props.onReset?.();
    this.setState({ failure: null });
  };

  override render() {
    const { children, place, frame = (sentence) => sentence } = this.props;
    const { failure } = this.state;
    if (!failure) return children;
    const { error } = failure;
    const sentence =
      error instanceof CodeError ? (
        <MissingCode error={error} place={place} onLoaded={this.reset} />
      ) : (
        <ErrorState what={t('Something went wrong on this screen.')} onRetry={this.reset} compact={place === 'line'} />
      );
    if (!fillsScreen(place)) return frame(sentence);
    const Box = place === 'page' ? 'main' : 'div';
    return <Box className="flex min-h-[60vh] items-center justify-center">{sentence}</Box>;
  }
}

const fillsScreen = (place: Place) => place === 'screen' || place === 'page';

interface MissingCodeProps {
  error: CodeError;
  place: Place;
  onLoaded: () => void;
}

/**
 * Tries again by itself. The files of another release have other names, so that only a fresh page can load them: the place of a screen
 * reloads it, unless something would be lost, and else the button does.
 */
function MissingCode({ error, place, onLoaded }: MissingCodeProps) {
  const [served, setServed] = useState(error.served);
  const [asked, setAsked] = useState<'no' | 'now' | 'in vain'>('no');
  const load = async (): Promise<Served> => {
    try {
      await error.load();
      onLoaded();
      return 'this release';
    } catch (failure) {
      const now = failure instanceof CodeError ? failure.served : null;
      setServed(now);
      return now;
    }
  };
  const loadAgain = useEffectEvent(async () => {
    if ((await load()) === 'another release' && fillsScreen(place) && !isUnsaved()) location.reload();
  });
  useEffect(() => {
    const timer = setInterval(loadAgain, AGAIN_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const isUpdated = served === 'another release';
  // Some browsers do not ask twice for a file that they did not get: there, too, only a fresh page helps.
  const needsReload = isUpdated || (asked === 'in vain' && served !== null);
  if (place === 'unseen') return null;
  const loadByHand = async () => {
    setAsked('now');
    await load();
    setAsked('in vain');
  };
  return (
    <ErrorState
      what={
        isUpdated ? t('Parley was updated. Reload the page to go on.') : t('This part of Parley could not be loaded.')
      }
      onRetry={needsReload ? () => location.reload() : loadByHand}
      busy={asked === 'now'}
      compact={place === 'line'}
      {...(needsReload && { retryLabel: t('Reload') })}
    />
  );
}
