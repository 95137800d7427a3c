import { type Code, loadCode, type Served } from 'browser/loadCode';

/** Code of the dashboard in a file of its own; one that could not be loaded tells whether it belongs to another release. */
export function codeOf<Loaded>(request: () => Promise<Loaded>): Code<Loaded> {
  return loadCode(request, servedRelease);
}

/** What the server serves now, by the script that its page names. */
async function servedRelease(): Promise<Served> {
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store', headers: { Accept: 'text/html' } });
    if (!answer.ok) return null;
    return (await answer.text()).includes(own) ? 'this release' : 'another release';
  } catch {
    return null;
  }
}

/** Whether a reload would lose something: the same listeners are asked that the browser asks before it leaves a page. */
export function isUnsaved(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
