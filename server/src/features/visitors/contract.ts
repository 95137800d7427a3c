import type { WidgetArticles } from '#features/articles/contract';
import type { AssistantText, VisitorAssistant } from '#features/assistant/contract';
import type { EditBody, Message, MessageChanges, Rating, Receipt } from '#features/chats/contract';
import type { WidgetDepartment } from '#features/departments/contract';
import type { Attribute, VisitorPage } from '#features/presence/contract';
import type { Consent, Customization, Greeting, PreChat, PreChatField, VisitorAnswers } from '#features/sites/contract';
import type { FlowButton } from '#features/sites/flows/contract';
import type { LauncherLook } from '#features/sites/launcher/contract';
import type { UploadQuery } from '#platform/files/contract';
import type { AckFn } from '#platform/http/contract';

/** How long a cache may keep the public widget config, in seconds. */
export const WIDGET_CONFIG_MAX_AGE_S = 10;
export const VISITOR_NAME_MAX_LENGTH = 100;
export const PAGE_URL_MAX_LENGTH = 2_000;
/** Maximum number of pages kept in a visitor's history. */
export const PAGES_SEEN_MAX = 10;
/** Maximum length of the website's own id for a visitor (`sub` of its token). */
export const USER_ID_MAX_LENGTH = 200;
/** How far in the future an identity token may expire, in hours. */
export const IDENTITY_TOKEN_MAX_HOURS = 24;

/** What the widget says in the page's language where the chat, or a part of it, cannot be loaded. */
export interface LoadFailure {
  chat: string;
  part: string;
}

/** The public configuration of a site: everything that a page learns before the chat is opened. */
export interface WidgetConfig {
  widgetCode: string;
  name: string;
  customization: Customization;
  /** Whether there is a form before the chat. */
  preChat: PreChat;
  /** What the forms ask for; absent: name and e-mail. */
  preChatFields?: PreChatField[];
  /** What visitors must agree to; absent: nothing. */
  consent?: Consent;
  privacyUrl: string | null;
  /** Whether pages say where their visitors are before anyone opens the chat. */
  visitorPages: boolean;
  /** Whether the team sees what visitors are typing, which the widget says; absent: no. */
  typingPreview?: true;
  /** The greetings that are switched on, in their order; absent: none. */
  greetings?: Omit<Greeting, 'enabled'>[];
  /** How the panel shows help articles; absent: not at all. The page itself sets `off` where it opens one. */
  articles?: WidgetArticles;
  /** Whether chats that begin now are answered by the assistant first, and what it is called; absent: a person answers. */
  assistant?: Pick<VisitorAssistant, 'name'>;
  /** How the launcher differs from the usual one; absent: not at all. */
  launcher?: LauncherLook;
  /** CSS declarations of the colours of the launcher and of the text on it, for the widget's colour. */
  colors: string;
  /** What the page says where scripts cannot be loaded; absent in later changes of the config. */
  failure?: LoadFailure;
  /** The departments that visitors may choose from before they write, in their order; absent: none. */
  departments?: WidgetDepartment[];
  /**
   * There are buttons in place of the field: a number, which is another one after each change of them. A list: the buttons of a preview.
   * Absent: there are none.
   */
  buttons?: number | FlowButton[];
  /** Label of the launcher. */
  buttonText: string;
  /** A URL on the product's origin. */
  logo: string | null;
  /** Whether a member is available to answer. */
  online: boolean;
  /** ISO 8601: when a site that is closed by its office hours opens; absent: it is open, or nobody knows. May be past on an old page. */
  opensAt?: string | undefined;
  /** Median first response of the last seven days, in minutes; null: no chat was answered. */
  usualReplyMinutes: number | null;
  /** Whether the server sends mail: visitors who have left get answers by mail, and can request a copy of the chat. */
  mail: boolean;
}

/** The visitor's own data, as its browser receives it. */
export interface Visitor {
  _id: string;
  name: string | null;
  email: string | null;
  /** The fields that have an answer, which the form leaves out: kinds, and labels of the site's own fields; absent where the site has no such fields. */
  known?: string[];
}

/** A chat as its visitor sees it. */
export interface VisitorChat {
  _id: string;
  status: 'waiting' | 'active' | 'closed';
  /** The person who answers, by name and picture only. */
  agent: { name: string; avatar: string | null } | null;
  /** How far staff have received and read the visitor's messages. */
  receipts: Receipt;
  /** Newest seq that this visitor has read. */
  readSeq: number;
  rating: Rating | null;
  /** The assistant answers; absent or null: a person does. */
  assistant?: VisitorAssistant | null;
}

/** The visitor's identity according to the page's website. */
export interface IdentityBody {
  /** The website's own id for the person; equal to the token's `sub`, where there is a token. */
  id?: string;
  name?: string;
  email?: string;
  phone?: string;
  /**
   * A JWT that the website's server signed (HS256, with the site's identity secret): `sub`, an `exp` at most 24 hours ahead and,
   * where they are to be trusted too, `name` and `email`.
   */
  token?: string;
}

/** Attributes by name; null removes one. */
export type AttributesBody = Record<string, Attribute['value'] | null>;

/** Opens a visitor's session, or resumes it with the token of the last one. */
export interface SessionBody {
  visitorToken?: string;
  /** What the visitor typed into the form before the chat. */
  visitor?: VisitorAnswers;
  identity?: IdentityBody;
  attributes?: AttributesBody;
  page?: VisitorPage;
  /** IANA time zone and BCP 47 language of the browser: a coarse location where nothing better is known. */
  timeZone?: string;
  language?: string;
  /** The language that the widget shows, for the site's texts and for mails. */
  speaks?: string;
}

/** A part of the visitor's conversation in order: chat by chat, within a chat by `seq`. `more`: there are later messages. */
export interface VisitorThread extends MessageChanges {
  /** The newest chat of this visitor, open or closed. */
  chat: VisitorChat | null;
  messages: Message[];
  more: boolean;
  /** How far staff have received and read the chats of this part; the newest chat carries its own receipts too. */
  receipts: ChatReceipt[];
}

/** How far staff have received and read the visitor's messages of one chat. */
export interface ChatReceipt extends Receipt {
  chatId: string;
}

/** An opened or resumed session: its secret, the newest page of the newest chat, and the site's current configuration. */
export interface VisitorSession extends VisitorThread {
  /** Current configuration: the launcher may have been drawn from an old cached one. */
  config: WidgetConfig;
  /** 256 random bits, of which the server keeps only a hash. To resume, the browser sends it; if valid, it stays the same. */
  visitorToken: string;
  visitor: Visitor;
}

/** A visitor's message over HTTP. */
export interface VisitorMessageBody {
  clientId: string;
  content: string;
  type?: 'text';
  /** The id of the greeting that it answers; it counts for a message that starts a chat. */
  greeting?: string;
  /** The id of the help article from which it was asked; it counts for a message that starts a chat. */
  article?: string;
  /** A person is to answer, not the assistant; it counts for a message that starts a chat. */
  person?: boolean;
  /** The id of the chosen department; it counts for a chat that is for none. One that does not exist is ignored. */
  department?: string;
}

/** The offline form: it names the writer and starts a waiting chat. */
export interface OfflineBody extends VisitorMessageBody, VisitorAnswers {
  name: string;
  email: string;
}

/** The visitor's rating of an own chat; a later rating replaces an earlier one. */
export interface RatingBody {
  chatId: string;
  /** 1 to 5 */
  score: number;
  comment?: string;
}

/** An event of the widget's socket, with its payload. */
export type PolledEvent = {
  [Name in keyof VisitorEvents]: [name: Name, payload: Parameters<VisitorEvents[Name]>[0]];
}[keyof VisitorEvents];

/** The answer to a poll. */
export interface VisitorPoll {
  /** The cursor of the next poll. */
  at: string;
  /** Something happened since the last poll that is not among the events: the client calls `sync`. */
  missed: boolean;
  /** The events that came, in order. */
  events: PolledEvent[];
}

/** A request of the widget's socket, over HTTP. */
export interface VisitorRequestBody {
  event: keyof VisitorRequests;
  ask: object;
}

/** The calls of the widget; all but the first two carry `Authorization: Bearer {visitorToken}`. */
export interface VisitorsApi {
  /** `v`: the widget's version, for the installation check. `l`: the page's language. `c`: its own colour for the widget. */
  'GET /widget/:widgetCode': { query: { v?: string; l?: string; c?: string }; data: WidgetConfig };
  'POST /widget/:widgetCode/session': { body: SessionBody; data: VisitorSession };
  'POST /widget/:widgetCode/messages': {
    body: VisitorMessageBody;
    data: { message: Message; chat: VisitorChat };
  };
  'POST /widget/:widgetCode/offline': { body: OfflineBody; data: { message: Message; chat: VisitorChat } };
  /** The body is the file's bytes; the file becomes an ordinary message. */
  'POST /widget/:widgetCode/files': { query: UploadQuery; data: { message: Message; chat: VisitorChat } };
  /**
   * For browsers without a WebSocket: waits up to 25 seconds for an event of the visitor. Without `at`, and where something was
   * missed since that answer, it does not wait. While it waits, the visitor is present. `speaks`: as in the session.
   */
  'POST /widget/:widgetCode/poll': { body: { at?: string; speaks?: string }; data: VisitorPoll };
  /** For browsers without a WebSocket: a request of the socket, such as `sync`; the data are those of its acknowledgement. */
  'POST /widget/:widgetCode/requests': { body: VisitorRequestBody; data: Record<string, unknown> };
  'POST /widget/:widgetCode/rating': { body: RatingBody; data: { chat: VisitorChat } };
  /** Erases the visitor with all chats; the token is invalid afterwards. */
  'DELETE /widget/:widgetCode/me': { data: Record<string, never> };
}

/** Why the server disconnected a visitor's socket. */
export type VisitorEndReason = 'widget_disabled' | 'site_deleted' | 'code_changed' | 'erased';

/** Events on the widget's socket. */
export interface VisitorEvents {
  new_message: (event: { message: Message }) => void;
  /** The author has corrected or deleted a message. */
  message_changed: (event: { message: Message }) => void;
  /** How far staff have received and read the visitor's messages. */
  receipts: (event: ChatReceipt) => void;
  chat_claimed: (event: { chatId: string; agent: { name: string; avatar: string | null } }) => void;
  /** The chat has no claimer any more and waits again. */
  chat_handed_back: (event: { chatId: string }) => void;
  chat_closed: (event: { chatId: string }) => void;
  /** The chat is deleted. */
  chat_deleted: (event: { chatId: string }) => void;
  /** `departments`: all that visitors may choose from; left out: there are none. */
  availability: (
    event: Pick<WidgetConfig, 'online' | 'opensAt'> & { departments?: Omit<WidgetDepartment, 'name'>[] },
  ) => void;
  /** An agent started or stopped writing; the state expires by itself. */
  typing: (event: { name: string; isTyping: boolean }) => void;
  /** A part of the assistant's answer, which `new_message` brings as a whole. */
  assistant_text: (event: AssistantText) => void;
  /** The assistant begins or ends a run, or a person takes over (`assistant` null). */
  assistant_changed: (event: { chatId: string; assistant: VisitorAssistant | null }) => void;
  config_changed: (event: { config: WidgetConfig }) => void;
  /** This socket is disconnected: the visitor has more sockets than allowed, and this is the oldest. */
  gave_way: () => void;
  session_ended: (event: { reason: VisitorEndReason }) => void;
}

/** Requests of the widget over its socket. */
export interface VisitorRequests {
  /** Starts a chat when there is none open. */
  send_message: (ask: VisitorMessageBody, ack: AckFn<{ message: Message; chat: VisitorChat }>) => void;
  /** Corrects an own message, within 15 minutes. */
  edit_message: (ask: { chatId: string; messageId: string } & EditBody, ack: AckFn<{ message: Message }>) => void;
  /** Deletes the text or file of an own message, within 15 minutes. */
  delete_message: (ask: { chatId: string; messageId: string }, ack: AckFn<{ message: Message }>) => void;
  /** The messages of this chat up to `seq` are stored in this browser. */
  received: (ask: { chatId: string; seq: number }, ack: AckFn) => void;
  /** The messages of this chat up to `seq` were on screen in a focused page. */
  read: (ask: { chatId: string; seq: number }, ack: AckFn) => void;
  /**
   * All messages after message `afterSeq` of chat `chatId` (neither: the newest page), later chats included; or, with
   * `beforeSeq`, the page before that message, earlier chats included: `more` then says whether there are still earlier ones.
   * With `afterEdit`, also the messages of all chats that were changed after that change.
   */
  sync: (
    ask: { chatId?: string; afterSeq?: number; beforeSeq?: number; afterEdit?: number },
    ack: AckFn<VisitorThread>,
  ) => void;
  page: (ask: VisitorPage, ack: AckFn) => void;
  /** The visitor started or stopped writing in the open chat. */
  /** @param ask `text`: what is in the field; only where the site's `typingPreview` is on, and never over polling */
  typing: (ask: { isTyping: boolean; text?: string }, ack: AckFn) => void;
  /** Closes an own chat; idempotent. */
  close_chat: (ask: { chatId: string }, ack: AckFn) => void;
  rate: (ask: RatingBody, ack: AckFn) => void;
  /** A person is to answer in this own chat, not the assistant; idempotent. */
  want_person: (ask: { chatId: string }, ack: AckFn<{ chat: VisitorChat }>) => void;
  /** Whether the assistant's answer with this number helped; what was said first counts. */
  answer_helped: (ask: { chatId: string; seq: number; helped: boolean }, ack: AckFn) => void;
}
