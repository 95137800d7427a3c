import { events } from '../events.ts';
import { rooms, type VisitorNamespace } from '../namespaces.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { isOpen, siteIsOnline } from '../sites/officeHours.ts';
import type { Surroundings } from './config.ts';

/** What opening depends on besides the site. */
type Clocked = Pick<Surroundings, 'presence' | 'now'>;

const LOOK_EVERY_MS = 30_000;
const BATCH = 100;

/** Tells open widgets when their site's office hours begin and end. Gives the function that stops it. */
export function announceOpenings(namespace: VisitorNamespace, around: Clocked): () => void {
  let last = around.now();
  const timer = setInterval(() => {
    const since = last;
    last = around.now();
    tellOpenings(namespace, around, since).catch((error) => events.fail(error, 'office hours'));
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Tells the widgets of this process whose site has opened or closed since then. @param since milliseconds */
export async function tellOpenings(
  namespace: VisitorNamespace,
  { presence, now }: Clocked,
  since: number,
): Promise<void> {
  const at = now();
  const ids = [...new Set([...namespace.sockets.values()].map(({ data }) => data.siteId))];
  for (let from = 0; from < ids.length; from += BATCH) {
    const sites = await SiteModel.find({ _id: { $in: ids.slice(from, from + BATCH) }, deletedAt: null }).lean<
      SiteDoc[]
    >();
    for (const site of sites) {
      const { hours } = site.settings;
      if (isOpen(hours, since) === isOpen(hours, at)) continue;
      namespace.local
        .to(rooms.site(site._id.toHexString()))
        .emit('availability', { online: siteIsOnline(site, presence, at) });
    }
  }
}
