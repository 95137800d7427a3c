import { act, screen } from '@testing-library/react';
import { createElement, Fragment } from 'react';
import type { NotificationSettings } from 'server/contract';
import { vi } from 'vitest';
import { fakeApi } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { makeChat, makeSettings, makeSite, makeUser, visitorMessage } from '../../../test/make.ts';
import { fakeSpeaker } from '../../../test/speaker.ts';
import { useSites } from '../../shared/sites.ts';
import { useChats } from '../chats/api.ts';
import { useLive } from '../chats/live/live.ts';
import { useSettings } from '../settings/api.ts';
import { useNotify } from './live.ts';
import { NotificationPrompt } from './NotificationPrompt.tsx';
import { WaitingAnnouncer } from './WaitingAnnouncer.tsx';

export const OAK = makeSite();
export const CHAT = makeChat({ site: { _id: OAK._id, name: OAK.name } });
export const STRANGER = makeChat({ site: CHAT.site, visitorInfo: { ...CHAT.visitorInfo, name: null } });
export const NEWS = visitorMessage(CHAT, 'Is it in stock?');
export const ALL_ON = { emailNotifications: true, browserNotifications: true, soundEnabled: true, answerByMail: false };

function Page() {
  useLive();
  useNotify();
  const [chat] = useChats({ status: 'all' }).data ?? [];
  const settings = useSettings().data;
  const sites = useSites().data;
  return createElement(
    Fragment,
    null,
    createElement(NotificationPrompt),
    createElement(WaitingAnnouncer),
    // Not before all that a ring depends on is known.
    createElement('p', null, settings && sites && chat?.status),
  );
}

/** The browser's loudspeaker and desktop, as far as a page can use them. */
export function fakeBrowser(permission: NotificationPermission = 'granted') {
  const shown: FakeNotification[] = [];
  class FakeNotification {
    static permission = permission;
    static requestPermission = vi.fn(async () => {
      FakeNotification.permission = 'granted';
      return FakeNotification.permission;
    });
    onclick: (() => void) | null = null;
    close = () => undefined;
    readonly title: string;
    readonly options: NotificationOptions;
    constructor(title: string, options: NotificationOptions) {
      this.title = title;
      this.options = options;
      shown.push(this);
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
  withLocks(freeLocks());
  return { rings: fakeSpeaker(), shown, ask: FakeNotification.requestPermission };
}

/** Gives every lock to whoever asks, as in the only tab of a browser. */
export function freeLocks() {
  const held: { name: string }[] = [];
  const request = (name: string, _how: LockOptions, got: () => Promise<void>) => {
    held.push({ name });
    return got();
  };
  return { request, query: async () => ({ held }) };
}

export const withLocks = (locks: object) =>
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks }));

export async function start(
  notifications: Partial<NotificationSettings> = {},
  { focused = false, chats = [CHAT] } = {},
) {
  vi.spyOn(document, 'hasFocus').mockReturnValue(focused);
  const api = fakeApi();
  api.on('GET /settings', { settings: makeSettings({ notifications: { ...ALL_ON, ...notifications } }) });
  api.on('GET /sites', { sites: [OAK], limit: 3 });
  api.on('GET /chats', { chats, nextCursor: null });
  const started = startApp([{ path: '/dashboard/*', element: createElement(Page) }], '/dashboard', {
    api,
    signedInAs: makeUser(),
  });
  await screen.findByText(chats[0]?.status ?? '');
  started.socket.answer('sync', () => ({ ok: true, cursor: 'c', reset: false, changed: [], removed: [], chats: [] }));
  act(() => started.socket.connect());
  return started;
}
