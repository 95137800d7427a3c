import type { Router } from 'express';
import type { StaffRouter } from '#features/auth';
import type { Purger } from '#features/sites';
import type { VisitorRouter } from '#features/visitors';
import type { Namespaces } from '#platform/events';
import type { Job, Projection } from '#platform/work';
import type { Context } from './context.ts';
import type { Collections } from './database.ts';

/** Stops what was started. */
export type Stop = () => void | Promise<void>;

/** What a feature adds to the server: `features.ts` lists all features, and the start collects each part in turn. */
export interface Feature extends Partial<Collections> {
  /** The REST calls below `/api`. */
  routes?(context: Context): Router[];
  sockets?: {
    /** Broadcasts events to sockets. */
    broadcast?(namespaces: Namespaces, context: Context): Stop[];
    /** Handles the events of one dashboard's socket. */
    staff?(router: StaffRouter, context: Context): void;
    /** Handles the events of all widgets' sockets. */
    visitors?(router: VisitorRouter, context: Context): void;
  };
  /** Other listeners to events. */
  listeners?(context: Context): Stop[];
  /** What the feature makes of messages, and how what is missing is found and made. */
  projections?(context: Context): Projection[];
  /** Starts background work with its own schedule; it is stopped in reverse order. */
  start?(context: Context, namespaces: Namespaces): Promise<Stop>;
  /** Jobs that run every hour. */
  jobs?(context: Context): Job[];
  /** Removes the data of a deleted site. */
  purge?(context: Context): Purger[];
}
