import { events, rooms, type StaffNamespace } from '#platform/events';

/** Tells the dashboards of a team that an article or the help centre has changed. @returns a disposer */
export function broadcastArticles(namespace: StaffNamespace): () => void {
  return events.everywhere('articlesChanged', (changed) => {
    namespace.local.to(rooms.site(changed.siteId)).emit('articles_updated', changed);
  });
}
