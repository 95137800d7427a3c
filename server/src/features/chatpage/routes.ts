import type { Router } from 'express';
import { toString as drawQr, toDataURL } from 'qrcode';
import type { SignedInGuard } from '#features/auth';
import { requirement, siteFor } from '#features/sites';
import { endpoints } from '#platform/http';
import { type ChatPageApi, chatPagePath } from './contract.ts';

/** In pixels: sharp on a small printed sign. A larger one takes too long to draw; the SVG has any size. */
const PNG_WIDTH = 384;
/** A quarter of the code may be dirty or covered. */
const DRAWING = { margin: 2, errorCorrectionLevel: 'Q' } as const;

export interface ChatPageDeps {
  signedIn: SignedInGuard;
  publicUrl: string | null;
}

/** The call that gives the address of a site's chat page with its QR code. */
export function chatPageRoutes({ signedIn: { orKey }, publicUrl }: ChatPageDeps): Router {
  const { router, on } = endpoints<ChatPageApi>();
  const requires = requirement(siteFor);

  on(
    'GET /sites/:id/chat-page',
    { authenticate: orKey.read, authorize: requires('sites.read') },
    async ({ access, req }) => {
      const origin = publicUrl ?? `${req.protocol}://${req.get('host')}`;
      const url = origin + chatPagePath(access.site.widgetCode);
      const [svg, png] = await Promise.all([
        drawQr(url, { ...DRAWING, type: 'svg' }),
        toDataURL(url, { ...DRAWING, width: PNG_WIDTH }),
      ]);
      return {
        data: { chatPage: { url, svg: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, png } },
      };
    },
  );
  return router;
}
