import type { Chat, Message, Note, Rating, Receipt, StaffMessage } from '../chats/contract.ts';
import type { UploadQuery } from '../files/contract.ts';
import type { AckFn, Page, PageQuery } from '../http/contract.ts';
import type { Customization, PreChat } from '../sites/contract.ts';

/** How long a cache may keep the public widget config, in seconds. */
export const WIDGET_CONFIG_MAX_AGE_S = 10;
export const VISITOR_NAME_MAX_LENGTH = 100;
export const PAGE_URL_MAX_LENGTH = 2_000;
/** Of the pages that a visitor has seen, so many are kept. */
export const PAGES_SEEN_MAX = 10;
/** Of a website's own name for a visitor: the `sub` of its token. */
export const USER_ID_MAX_LENGTH = 200;
/** How far ahead a token that proves who a visitor is may end, in hours. */
export const IDENTITY_TOKEN_MAX_HOURS = 24;
/** What a website may tell of one visitor; of more, those told longest ago are forgotten. */
export const ATTRIBUTES_MAX = 20;
export const ATTRIBUTE_NAME_MAX_LENGTH = 40;
export const ATTRIBUTE_TEXT_MAX_LENGTH = 200;

/** The public face of a site: all that a page learns before anyone opens the chat. */
export interface WidgetConfig {
  widgetCode: string;
  name: string;
  customization: Customization;
  /** Whether name and e-mail are asked for first. */
  preChat: PreChat;
  privacyUrl: string | null;
  /** Whether pages say where their visitors are before anyone opens the chat. */
  visitorPages: boolean;
  /** What the launcher says. */
  buttonText: string;
  /** A URL on the product's origin. */
  logo: string | null;
  /** Whether somebody is there to answer. */
  online: boolean;
  /** The median first response of the last seven days; null: nobody was answered. */
  usualReplyMinutes: number | null;
  /** Whether the server sends mail: answers reach who has left, and a copy of the chat can be asked for. */
  mail: boolean;
}

/** The visitor as the visitor's own browser knows itself. */
export interface Visitor {
  _id: string;
  name: string | null;
  email: string | null;
}

/** A chat as its visitor sees it. */
export interface VisitorChat {
  _id: string;
  status: 'waiting' | 'active' | 'closed';
  /** Who answers, by name and picture only. */
  agent: { name: string; avatar: string | null } | null;
  /** How far staff have got with the visitor's messages. */
  receipts: Receipt;
  /** Newest seq that this visitor has read. */
  readSeq: number;
  rating: Rating | null;
}

/** The page that carries the widget. */
export interface VisitorPage {
  url: string;
  title: string;
}

/** Something that a website tells of its visitor. */
export interface Attribute {
  name: string;
  value: string | number | boolean;
}

/** A page that a visitor was on. */
export interface SeenPage extends VisitorPage {
  /** When the visitor came to it. ISO 8601 UTC */
  at: string;
}

/** What is known of a visitor beside name and address. */
export interface VisitorFacts {
  /** The page last reported, if any. */
  page: VisitorPage | null;
  /** The last ten, the newest first; a page that is reported again and again is one. */
  pages: SeenPage[];
  /** Who the visitor is to the website; null: it does not say. */
  userId: string | null;
  /** The website's own server has proved `userId`; otherwise anybody may have said it. */
  verified: boolean;
  /** The latest told last. */
  attributes: Attribute[];
}

/** Who the page's website says that the visitor is. */
export interface IdentityBody {
  /** The website's own name for the person; the `sub` of the token, where there is one. */
  id?: string;
  name?: string;
  email?: string;
  /**
   * A JWT that the website's server signed (HS256, with the site's identity secret): `sub`, an `exp` at most 24 hours ahead and,
   * where they are to be trusted too, `name` and `email`.
   */
  token?: string;
}

/** By name; null takes one back. */
export type AttributesBody = Record<string, Attribute['value'] | null>;

/** Opens a visitor's session, or resumes it with the token of the last one. */
export interface SessionBody {
  visitorToken?: string;
  /** What the visitor says. */
  visitor?: { name?: string; email?: string };
  identity?: IdentityBody;
  attributes?: AttributesBody;
  page?: VisitorPage;
  /** IANA name and BCP 47 tag of the browser: the coarse location where nothing better is known. */
  timeZone?: string;
  language?: string;
}

/**
 * A stretch of the visitor's conversation in order: chat by chat, within a chat by `seq`.
 * `more` says whether later messages than the last one answered exist.
 */
export interface VisitorThread {
  /** The newest chat of this visitor, open or closed. */
  chat: VisitorChat | null;
  messages: Message[];
  more: boolean;
  /** How far staff have got with the chats of this stretch; the newest chat says it itself, too. */
  receipts: ChatReceipt[];
}

/** How far staff have got with the visitor's messages of one chat. */
export interface ChatReceipt extends Receipt {
  chatId: string;
}

/** An opened or resumed session: its secret, the newest page of the newest chat, and the site as it is now. */
export interface VisitorSession extends VisitorThread {
  /** What the launcher was drawn from may be of long ago. */
  config: WidgetConfig;
  /** 256 random bits; the server keeps only a hash. Sent again on resume, and the same where it was still good. */
  visitorToken: string;
  visitor: Visitor;
}

/** A visitor's message over HTTP. */
export interface VisitorMessageBody {
  clientId: string;
  content: string;
  type?: 'text';
}

/** The offline form: it says who writes, and starts a waiting chat. */
export interface OfflineBody extends VisitorMessageBody {
  name: string;
  email: string;
}

/** What the visitor thinks of one of the own chats; the last word counts. */
export interface RatingBody {
  chatId: string;
  /** 1 to 5 */
  score: number;
  comment?: string;
}

/** Somebody who is on the site right now, as the team sees the person; the page only where the site's `visitorPages` is on. */
export interface LiveVisitor extends Omit<VisitorFacts, 'pages'> {
  _id: string;
  name: string | null;
  email: string | null;
  location: string | null;
  /** ISO 8601 UTC */
  since: string;
  openChatId: string | null;
  blocked: boolean;
}

/** All that is kept of a person. */
export interface PersonExport {
  visitor: Visitor &
    VisitorFacts & {
      site: { _id: string; name: string };
      userAgent: string;
      location: string | null;
      blocked: boolean;
      createdAt: string;
      lastSeenAt: string;
    };
  /** Oldest first, each whole. */
  chats: (Chat & { messages: StaffMessage[]; notes: Note[] })[];
}

/** The calls that the team makes about visitors. */
export interface PeopleApi {
  /** Who is there now, the latest comer first. */
  'GET /sites/:id/visitors': { query: PageQuery; data: { visitors: LiveVisitor[] } & Page };
  /** The visitor's chats, the latest first. */
  'GET /visitors/:id/chats': { query: PageQuery; data: { chats: Chat[] } & Page };
  /** Starts a chat with a visitor who is there, claimed by the caller. */
  'POST /visitors/:id/chats': {
    body: { content: string; clientId?: string };
    data: { chat: Chat; message: StaffMessage };
  };
  'POST /visitors/:id/block': { data: { blocked: boolean } };
  'DELETE /visitors/:id/block': { data: { blocked: boolean } };
  /** Answers a file: a `PersonExport` as JSON. */
  'GET /visitors/:id/export': { data: never };
  'DELETE /visitors/:id': { data: Record<string, never> };
}

/** What the dashboard socket tells of visitors. */
export interface PeopleEvents {
  /** Nothing is kept of this person any more. */
  visitor_erased: (event: { visitorId: string; siteId: string }) => void;
  /** Somebody went to another page, or is known better: of visitors with an open chat, and of all where `visitorPages` is on. */
  visitor_updated: (
    event: { visitorId: string; siteId: string; name: string | null; email: string | null } & VisitorFacts,
  ) => void;
}

/** The calls of the widget; all but the first two carry `Authorization: Bearer {visitorToken}`. */
export interface VisitorsApi {
  /** `v` is the widget's version, for the installation check. */
  'GET /widget/:widgetCode': { query: { v?: string }; data: WidgetConfig };
  'POST /widget/:widgetCode/session': { body: SessionBody; data: VisitorSession };
  'POST /widget/:widgetCode/messages': {
    body: VisitorMessageBody;
    data: { message: Message; chat: VisitorChat };
  };
  'POST /widget/:widgetCode/offline': { body: OfflineBody; data: { message: Message; chat: VisitorChat } };
  /** The body is the file itself; a file is a message like any other. */
  'POST /widget/:widgetCode/files': { query: UploadQuery; data: { message: Message; chat: VisitorChat } };
  'POST /widget/:widgetCode/rating': { body: RatingBody; data: { chat: VisitorChat } };
  /** Erases the visitor and all that was said; the token is dead afterwards. */
  'DELETE /widget/:widgetCode/me': { data: Record<string, never> };
}

/** Why a visitor's socket was ended by the server. */
export type VisitorEndReason = 'widget_disabled' | 'site_deleted' | 'code_changed' | 'erased';

/** What the widget's socket hears. */
export interface VisitorEvents {
  new_message: (event: { message: Message }) => void;
  /** How far staff have got with the visitor's messages. */
  receipts: (event: ChatReceipt) => void;
  chat_claimed: (event: { chatId: string; agent: { name: string; avatar: string | null } }) => void;
  /** Nobody has the chat any more: it waits again. */
  chat_handed_back: (event: { chatId: string }) => void;
  chat_closed: (event: { chatId: string }) => void;
  /** The chat is gone for good. */
  chat_deleted: (event: { chatId: string }) => void;
  availability: (event: { online: boolean }) => void;
  /** An agent writes right now, or ceased to; ends by itself. */
  typing: (event: { name: string; isTyping: boolean }) => void;
  config_changed: (event: { config: WidgetConfig }) => void;
  /** This socket is ended: the visitor has more of them than one may have, and it came first. */
  gave_way: () => void;
  session_ended: (event: { reason: VisitorEndReason }) => void;
}

/** What the widget asks over its socket. */
export interface VisitorRequests {
  /** Starts a chat when there is none open. */
  send_message: (ask: VisitorMessageBody, ack: AckFn<{ message: Message; chat: VisitorChat }>) => void;
  /** The messages of this chat up to `seq` are stored in this browser. */
  received: (ask: { chatId: string; seq: number }, ack: AckFn) => void;
  /** The messages of this chat up to `seq` were on screen in a focused page. */
  read: (ask: { chatId: string; seq: number }, ack: AckFn) => void;
  /**
   * All messages after message `afterSeq` of chat `chatId` (neither: the newest page), later chats included; or, with
   * `beforeSeq`, the page before that message, earlier chats included: `more` then says whether there are still earlier ones.
   */
  sync: (ask: { chatId?: string; afterSeq?: number; beforeSeq?: number }, ack: AckFn<VisitorThread>) => void;
  page: (ask: VisitorPage, ack: AckFn) => void;
  /** The visitor writes in the open chat, or ceased to. */
  typing: (ask: { isTyping: boolean }, ack: AckFn) => void;
  /** Ends the own chat; ending it again changes nothing. */
  close_chat: (ask: { chatId: string }, ack: AckFn) => void;
  rate: (ask: RatingBody, ack: AckFn) => void;
}
