import type { Chat, Host } from '../host.ts';
import { start } from './chat.ts';

/** The folder of the parts, put in by the build. */
declare const PARTS_FOLDER: string;

/** Starts the chat as pages load it: each part is a file of its own. */
export function startChat(host: Host): Promise<Chat> {
  const folder = `${host.origin}/widget/${PARTS_FOLDER}/`;
  return start(host, (name, attempt) => import(`${folder}${name}.js${attempt ? `?${attempt}` : ''}`));
}
