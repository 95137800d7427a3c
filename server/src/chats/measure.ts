import { events } from '../events.ts';
import type { Metrics } from '../http/metrics.ts';
import { projectionLag } from './projection.ts';

/** Measures messages on their way into the store and into what follows from them. @returns a disposer */
export function measure(metrics: Metrics): () => void {
  metrics.watch(
    'parley_projection_lag_seconds',
    "How long the oldest message stored by this node waits to be in its chat's row.",
    projectionLag,
  );
  return events.stopAll([
    events.on('messageStored', ({ message }) => metrics.messageStored(message.sender)),
    events.on('storeAnswered', ({ command, seconds }) => metrics.storeAnswered(command, seconds)),
    events.on('lostWorkFound', ({ projection, chats }) => metrics.lostWorkFound(projection, chats)),
  ]);
}
