import type { Claimer } from '#features/chats/contract';

/** Unread mentions in one list; older ones are left out. */
export const MENTIONS_LISTED_MAX = 50;

/** A note that mentions the caller, who has not opened its chat since. */
export interface Mention {
  /** The note's id. */
  _id: string;
  chatId: string;
  siteName: string;
  visitorName: string | null;
  /** The author of the note. */
  by: Claimer;
  /** The note's text, cut to a preview. */
  preview: string;
  /** The page of the dashboard that opens the chat at the note. */
  path: string;
  /** ISO 8601 UTC */
  createdAt: string;
}

/** The calls about mentions and mail. */
export interface NotifyApi {
  /** The caller's unread mentions, the latest first. */
  'GET /mentions': { data: { mentions: Mention[] } };
  /** Marks all mentions of the caller in a chat as read. */
  'POST /chats/:id/mentions/read': { data: Record<string, never> };
  /** Mails the caller, to see whether mail arrives; resolves once the mail server took it. */
  'POST /self-check/mail': { data: { to: string } };
  /**
   * Does what a button of a push notification says; its token stands for the session of the device that received it. The
   * answer's `message` says what was done.
   */
  'POST /notifications/actions': { body: { token: string }; data: Record<string, never> };
  /**
   * Mails a copy of one of the visitor's chats that an agent has answered, to the visitor's own address; a typed one
   * becomes that, unless the website has proved another.
   */
  'POST /widget/:widgetCode/transcript': { body: { chatId: string; email?: string }; data: Record<string, never> };
  /** A visitor token for the one who holds a mailed link. */
  'POST /widget/:widgetCode/resume': { body: { token: string }; data: { visitorToken: string } };
}

/** Events about mentions on the dashboard socket, only to the dashboards of the mentioned user. */
export interface NotifyEvents {
  /** A colleague has mentioned the user in a note. */
  mentioned: (event: { mention: Mention }) => void;
  /** Mentions were read, or are no longer the user's to see: the dashboard loads the list again. */
  mentions_changed: () => void;
}
