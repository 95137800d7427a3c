import { uuid } from 'browser/uuid';

/** The `clientId` for a text: the same one while the text is the same, so that a retry is idempotent. */
export function clientIdFor(last: { content: string; clientId: string } | undefined, content: string) {
  return last?.content === content ? last : { content, clientId: uuid() };
}
