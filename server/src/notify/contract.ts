/** The calls about mail. */
export interface NotifyApi {
  /** Mails the caller, to see whether mail arrives; resolves once the mail server took it. */
  'POST /self-check/mail': { data: { to: string } };
  /**
   * Mails a copy of one of the visitor's chats that an agent has answered, to the visitor's own address; a typed one
   * becomes that, unless the website has proved another.
   */
  'POST /widget/:widgetCode/transcript': { body: { chatId: string; email?: string }; data: Record<string, never> };
  /** A visitor token for the one who holds a mailed link. */
  'POST /widget/:widgetCode/resume': { body: { token: string }; data: { visitorToken: string } };
}
