import { Router } from 'express';

/** What the probes ask. */
export interface Health {
  /** Whether the store answers and its indexes stand, and no stop is under way. */
  ready(): Promise<boolean>;
}

/** `/healthz`: the process lives. `/readyz`: it can do its work. */
export function healthRoutes(health: Health): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => void res.json({ status: 'up' }));
  router.get('/readyz', async (_req, res) => {
    const ready = await health.ready();
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  return router;
}
