import { useMatches } from 'react-router-dom';
import type { RouteHandle } from '../guards.tsx';

/** Above this nobody counts, and no more are asked for. */
const COUNTED = 99;

/** The title of the screen that is open, led by how much is unread. */
export function useScreenTitle(unread: number): string {
  const handle = useMatches().findLast((match) => match.handle !== undefined)?.handle as RouteHandle | undefined;
  const title = handle?.title ? `${handle.title} · Parley` : 'Parley';
  return unread > 0 ? `(${unread > COUNTED ? `${COUNTED}+` : unread}) ${title}` : title;
}

/** Small marks have room for one digit. */
export function atMostNine(count: number): string {
  return count > 9 ? '9+' : String(count);
}
