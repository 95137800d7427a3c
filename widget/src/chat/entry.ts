import type { Chat, Frame } from '../frame.ts';
import { start } from './chat.ts';

/** The folder of the parts below the widget's own, put in by the build. */
declare const PARTS_FOLDER: string;

/** The chat as pages load it, with its parts beside it. */
export function startChat(frame: Frame): Promise<Chat> {
  const folder = `${frame.origin}/widget/${PARTS_FOLDER}/`;
  return start(frame, (name, attempt) => import(`${folder}${name}.js${attempt ? `?${attempt}` : ''}`));
}
