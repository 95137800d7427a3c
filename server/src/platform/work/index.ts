export { type Job, startJobs } from './jobs.ts';
export { enqueue, enqueueDelayed, enqueueUnawaited, queueIdle, startDelayed } from './keyedQueue.ts';
export { backoffOf, IS_WAITING, type Outcome, type WorkDoc, workFields } from './leases.ts';
export { createLimiter } from './limiter.ts';
export { markedProjection, marksIn } from './marked.ts';
export { ProcessedMessages, type Span, secondOf } from './processed.ts';
export {
  type ConcurrencyLimit,
  createQueue,
  type DeadLetterReason,
  type HeldLease,
  type WorkQueue,
} from './queue.ts';
export {
  initCheckpoints,
  lastIdOf,
  type Projection,
  reportLost,
  secondsNow,
  startReconciler,
} from './reconciler.ts';
export { inTurns, type Pause } from './turns.ts';
