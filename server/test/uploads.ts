import type { Site, VisitorSession } from '../contract.ts';
import type { TestServer } from './harness.ts';

type Bytes = Uint8Array<ArrayBuffer> | string;

/** What an upload may say besides its bytes. */
interface Told {
  name?: string;
  clientId?: string;
  /** The type that the sender claims. */
  type?: string;
}

/** Sends bytes as the body, as a browser does with a `File`. */
async function upload(url: string, token: string, bytes: Bytes, { type = 'image/png', ...query }: Told) {
  const address = `${url}?${new URLSearchParams({ ...query })}`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
  const answer = await fetch(address, { method: 'POST', headers, body: bytes });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into field by field
  const body: any = await answer.json();
  return { status: answer.status, body };
}

/** A member's file into a chat. */
export function uploadToChat(server: TestServer, token: string, chatId: string, bytes: Bytes, told: Told = {}) {
  return upload(`${server.url}/api/chats/${chatId}/files`, token, bytes, told);
}

/** A picture of an article. */
export function uploadToArticle(server: TestServer, token: string, articleId: string, bytes: Bytes, told: Told = {}) {
  return upload(`${server.url}/api/articles/${articleId}/pictures`, token, bytes, told);
}

/** A file of a canned reply. */
export function uploadToReply(server: TestServer, token: string, replyId: string, bytes: Bytes, told: Told = {}) {
  return upload(`${server.url}/api/canned-replies/${replyId}/files`, token, bytes, told);
}

/** A visitor's file. */
export function uploadAsVisitor(
  server: TestServer,
  site: Site,
  session: VisitorSession,
  bytes: Bytes,
  told: Told = {},
) {
  const { visitorToken } = session;
  return upload(`${server.url}/api/widget/${site.widgetCode}/files`, visitorToken, bytes, told);
}
