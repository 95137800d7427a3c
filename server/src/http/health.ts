import { Router } from 'express';

/** What the health probes check. */
export interface Health {
  /** Whether the store answers, the indexes exist, and no stop is in progress. */
  ready(): Promise<boolean>;
}

/** `/healthz`: the process is alive. `/readyz`: it can serve requests. */
export function healthRoutes(health: Health): Router {
  const router = Router();
  router.get('/healthz', (_req, res) => void res.json({ status: 'up' }));
  router.get('/readyz', async (_req, res) => {
    const ready = await health.ready();
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  return router;
}
