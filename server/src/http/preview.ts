import path from 'node:path';
import express, { Router } from 'express';

const POLICY = 'Content-Security-Policy';

/** The page that the settings screens frame: the widget itself, on a page that stands for any website. */
export function widgetPreview(dist: string): Router {
  const router = Router();
  router.use('/widget-preview', (_req, res, next) => {
    // The one page that may be framed, and by the product itself only.
    res.setHeader(POLICY, String(res.getHeader(POLICY)).replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    next();
  });
  router.use('/widget-preview', express.static(path.join(dist, 'preview'), { redirect: false, cacheControl: false }));
  return router;
}
