import type { Router } from 'express';
import type { StaffRouter } from './auth/gateway.ts';
import type { Context } from './context.ts';
import type { Collections } from './database.ts';
import type { Job } from './jobs.ts';
import type { Namespaces } from './namespaces.ts';
import type { Purger } from './sites/purge.ts';
import type { VisitorRouter } from './visitors/gateway.ts';

/** Ends what was started. */
export type Stop = () => void | Promise<void>;

/** What a part of the product adds to the server: `features.ts` lists all of them, and the wiring asks each in turn. */
export interface Feature extends Partial<Collections> {
  /** The calls below `/api`. */
  routes?(context: Context): Router[];
  sockets?: {
    /** Sends to sockets what happened. */
    broadcast?(namespaces: Namespaces, context: Context): Stop[];
    /** Takes the events of one dashboard's socket. */
    staff?(router: StaffRouter, context: Context): void;
    /** Takes the events of all widgets' sockets. */
    visitors?(router: VisitorRouter, context: Context): void;
  };
  /** What else is done about what happened. */
  listeners?(context: Context): Stop[];
  /** Work in the background that keeps its own time; it is ended in the opposite order. */
  start?(context: Context, namespaces: Namespaces): Promise<Stop>;
  /** Chores of every hour. */
  jobs?(context: Context): Job[];
  /** Removes what is kept of a deleted site. */
  purge?(context: Context): Purger[];
}
