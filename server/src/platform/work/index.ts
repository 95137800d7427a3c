export { Finished, type Span, secondOf } from './finished.ts';
export { type Job, startJobs } from './jobs.ts';
export { enqueue, enqueueDelayed, enqueueUnawaited, queueIdle, startDelayed } from './keyedQueue.ts';
export { backoffOf, IS_WAITING, type Outcome, type WorkDoc, workFields } from './leases.ts';
export { createLimiter } from './limiter.ts';
export { markedProjection, marksIn } from './marked.ts';
export { type ConcurrencyLimit, createQueue, type GivenUp, type HeldLease, type WorkQueue } from './queue.ts';
export { beginChecking, lastIdOf, type Projection, reportLost, startReconciler } from './reconciler.ts';
