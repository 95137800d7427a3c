import type { AnswerSource, ChatReceipt, Message, WidgetConfig } from 'server/contract';
import type { Server } from 'socket.io';

/** A server in memory with the visitors' contract: one visitor, no validation. */
export interface StandIn {
  origin: string;
  code: string;
  io: Server;
  config: WidgetConfig;
  messages: Message[];
  /** The state of messages that were changed: what a `sync` tells of them. */
  changed: Message[];
  /** The receipts of staff for earlier chats. */
  receipts: ChatReceipt[];
  /** The status of the config call. */
  status: number;
  /** A firewall refuses every call except the one for the config. */
  firewall: boolean;
  /** The token of the next session; the only valid one. */
  token: string;
  /** Sockets do not answer messages, and do not tell about an erasure. */
  silent: boolean;
  /** The code with which messages and their changes are refused. */
  refusal: string | null;
  /** The disk is full. */
  full: boolean;
  /** The number of messages in the answer for a session. */
  newestOnly: number;
  /** The visitor of each session, offline form and transcript, and the page of each session. */
  visitors: object[];
  pages: object[];
  /** The other fields of each session. */
  told: object[];
  /** The token in each request for a session. */
  resumed: (string | undefined)[];
  /** What forms need not ask any more. */
  known: string[] | null;
  /** The visitor's address. */
  email: string | null;
  /** Tells whether somebody is online. */
  online(online: boolean): void;
  /** Delays the answers for sessions until it resolves. */
  held: Promise<unknown> | null;
  /** Delays the answer to an erasure until it resolves. */
  heldErasure: Promise<unknown> | null;
  /** Delays the answer to an upload until it resolves. */
  heldFile: Promise<unknown> | null;
  /** How many uploads were cut off before they were answered. */
  cutOff: number;
  /** The code with which sessions with an identity are refused. */
  refused: string | null;
  /** The requests over HTTP, and those over sockets, oldest first. */
  calls: string[];
  asks: [event: string, ask: object][];
  /** The token of each message over a socket. */
  senders: string[];
  /** What else is answered over HTTP, by call; null: with an error. */
  answers: Record<string, object | null>;
  /** The bodies of these calls. */
  bodies: Record<string, object[]>;
  say(content: string): void;
  /** A rule of the site writes, in the site's name: it is no answer of a person. */
  sayByRule(content: string): void;
  /** The assistant begins a run, releases a part of its answer, has answered, and gives the chat to people. */
  run(run: string): void;
  sentence(run: string, upTo: number, text: string): void;
  answer(content: string, sources: AnswerSource[]): void;
  handOver(content: string): void;
  handBack(): void;
  claim(agent: { name: string; avatar: string | null }): void;
  /** Deletes the visitor and the conversation. */
  forget(): void;
  close(): void;
  reopen(agent: { name: string; avatar: string | null }): void;
  stop(): Promise<void>;
}
