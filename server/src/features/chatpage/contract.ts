/** The page on which a site's visitors chat without a website around it. */
export interface ChatPage {
  url: string;
  /** The QR code of the address, as data URLs of pictures. */
  svg: string;
  png: string;
}

/** The path of a site's chat page. */
export function chatPagePath(widgetCode: string): string {
  return `/c/${encodeURIComponent(widgetCode)}`;
}

/** The calls of chat pages. */
export interface ChatPageApi {
  /** The page's address works while the widget is enabled. */
  'GET /sites/:id/chat-page': { data: { chatPage: ChatPage } };
}
