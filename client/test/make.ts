import type { Chat, ServerToClientEvents, Settings, Site, User } from 'server/contract';
import {
  CUSTOMIZATION_DEFAULTS,
  NOTIFICATION_SETTINGS_DEFAULTS,
  SITE_SETTINGS_DEFAULTS,
  WIDGET_SETTINGS_DEFAULTS,
} from 'server/contract';

const AT = '2026-01-05T09:00:00.000Z';

let last = 0;

/** A fresh 24-hex id. */
export function id(): string {
  last += 1;
  return last.toString(16).padStart(24, '0');
}

export function makeUser(parts: Partial<User> = {}): User {
  return {
    _id: id(),
    name: 'Ana Lind',
    email: 'ana@example.com',
    role: 'user',
    avatar: null,
    available: true,
    ...parts,
  };
}

export function makeSettings(parts: Partial<Settings> = {}): Settings {
  const { name, email, avatar } = makeUser();
  return {
    account: { name, email, avatar },
    widget: WIDGET_SETTINGS_DEFAULTS,
    notifications: NOTIFICATION_SETTINGS_DEFAULTS,
    security: { twoFactorEnabled: false, sessionTimeout: 24 },
    availability: { autoAwayMinutes: 0 },
    keyboard: { singleKeyShortcuts: true },
    language: { language: 'auto' },
    quickReplies: { bySite: {} },
    ...parts,
  };
}

export function makeSite(parts: Partial<Site> = {}): Site {
  const owner = id();
  return {
    _id: id(),
    name: 'Oak and Line',
    domain: 'oakandline.example',
    widgetEnabled: true,
    widgetCode: 'w_oak',
    owner,
    role: 'admin',
    isOwner: true,
    stats: { totalChats: 0, activeChats: 0 },
    team: [{ userId: { _id: owner, name: 'Ana Lind', email: 'ana@example.com' }, role: 'admin' }],
    customization: CUSTOMIZATION_DEFAULTS,
    settings: SITE_SETTINGS_DEFAULTS,
    createdAt: AT,
    ...parts,
  };
}

export function makeChat(parts: Partial<Chat> = {}): Chat {
  return {
    _id: id(),
    status: 'waiting',
    visitorId: id(),
    visitorInfo: { name: 'Mina Park', email: null, userAgent: 'Mozilla/5.0', location: null },
    site: { _id: id(), name: 'Oak and Line' },
    claimedBy: null,
    assignedAt: null,
    handedBy: null,
    waitingSince: null,
    metadata: { lastMessage: 'Hello there', lastActivity: AT },
    lastMessage: 'Hello there',
    lastSeq: 1,
    unread: 0,
    messages: [],
    tags: [],
    rating: null,
    blocked: false,
    rev: 1,
    createdAt: AT,
    closedAt: null,
    ...parts,
  };
}

/** A visitor's message in a chat, as dashboards hear of it. */
export function visitorMessage(chat: Chat, content: string): Parameters<ServerToClientEvents['new_message']>[0] {
  const { _id: chatId, site, visitorInfo } = chat;
  return {
    chatId,
    message: {
      _id: id(),
      chatId,
      seq: chat.lastSeq + 1,
      clientId: id(),
      sender: 'visitor',
      senderId: null,
      senderName: visitorInfo.name,
      senderAvatar: null,
      type: 'text',
      content,
      text: content,
      file: null,
      event: null,
      timestamp: AT,
    },
    notice: { siteId: site._id, siteName: site.name, visitorName: visitorInfo.name },
  };
}
