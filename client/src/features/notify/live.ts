import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Chat, ServerToClientEvents } from 'server/contract';
import { useChats, withoutAssistant } from '#features/chats';
import { useDepartmentsOfChats, useReadDepartments } from '#features/departments';
import { useLiveSettings, useSettings } from '#features/settings';
import { useAuth } from '../../lib/auth.tsx';
import { onNotificationClick, showNotification } from '../../lib/desktopNotifications.ts';
import { facts, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { chatMessageOf, useSocketEvents } from '../../lib/socket.tsx';
import { playMessageSound } from '../../lib/sound.ts';
import { syncPushSubscription } from '../../lib/webPush.ts';
import { useSites } from '../../shared/sites.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { toastAction } from '../../ui/actionToast.tsx';
import { isRelevant, nextHelpAt, RING_EVERY_MS, reminderFor } from './escalation.ts';
import { useMentionsLive } from './mentions.ts';
import { soundOnce, useIsSoundingTab, useViewedChats } from './tabs.ts';

type NewMessage = Parameters<ServerToClientEvents['new_message']>[0];
type Mentioned = Parameters<ServerToClientEvents['mentioned']>[0];
type Woken = Parameters<ServerToClientEvents['chat_woken']>[0];
type Transfer = Parameters<ServerToClientEvents['chat_transferred']>[0];

/** All tabs receive a message within this time of each other. */
const HEARD_WITHIN_MS = 2_000;
/** Each tab has its own timer; one reminder in this time is enough. */
const REMINDED_WITHIN_MS = RING_EVERY_MS - 1_000;

/**
 * Sounds and notifications when visitors write, again while they wait, and when a colleague hands over a chat or mentions
 * the user. Mounted once, by the dashboard's frame.
 */
export function useNotify(): void {
  const { user } = useAuth();
  const { data: sites = [] } = useSites();
  const chats = useChats({ status: 'all' }).data ?? [];
  const departments = useDepartmentsOfChats(chats);
  const read = useReadDepartments();
  const wanted = useSettings().data?.notifications;
  const open = useNavigate();
  const isRinger = useIsSoundingTab();
  const openChat = useOpenChat();
  const watched = useViewedChats(openChat);
  useMentionsLive(openChat);
  useLiveSettings();
  usePush(wanted?.browserNotifications);

  const sound = (quietMs = HEARD_WITHIN_MS) =>
    wanted?.soundEnabled && soundOnce(() => void playMessageSound(), quietMs);
  const notify = (chatId: string, who: string | null, siteName: string, body: string, path?: string) => {
    if (!wanted?.browserNotifications) return;
    const title = facts(who ?? t('Visitor'), siteName);
    void showNotification({ title, body, chatId, ...(path !== undefined && { path }) }, open);
  };

  /** Of a chat that has just begun, the departments may not be read yet. */
  const isFor = async (siteId: string, chat: Partial<Chat>) => {
    if (!user) return false;
    const isKnown = !chat.department || departments.some(({ _id }) => _id === chat.department?._id);
    const listener = { user, sites, departments: isKnown ? departments : await read(siteId) };
    return isRelevant(listener, siteId, chat, Date.now());
  };
  const onMessage = async (event: NewMessage) => {
    if (event.message.event === 'handed_over') return onHandOver(event.chatId);
    const fact = chatMessageOf(event);
    if (!fact) return;
    const { chatId, siteId, siteName, visitorName, preview, department } = fact;
    const chat = { ...chats.find(({ _id }) => _id === chatId), ...(department && { department }) };
    if (!isRinger() || !(await isFor(siteId, chat))) return;
    const seen = await watched();
    if (!seen?.includes(chatId)) sound();
    if (seen === null) notify(chatId, visitorName, siteName, preview);
  };
  /** Points to a chat that somebody has to look at, unless they are looking at it. */
  const pointTo = async ({ _id, visitorInfo, site }: Chat, toast: string, body: string) => {
    const seen = await watched();
    if (seen?.includes(_id)) return;
    toastAction({ id: `look at ${_id}`, text: toast, label: t('Open'), run: () => open(paths.chat(_id)) });
    if (!isRinger()) return;
    sound();
    if (seen === null) notify(_id, visitorInfo.name, site.name, body);
  };
  /** What the visitor wrote rang nobody while the assistant had the chat. */
  const onHandOver = async (chatId: string) => {
    const chat = chats.find(({ _id }) => _id === chatId);
    if (chat?.status !== 'waiting' || !(await isFor(chat.site._id, withoutAssistant(chat)))) return;
    const name = visitorName(chat.visitorInfo.name);
    await pointTo(
      chat,
      t('The chat with {name} waits for a person', { name }),
      t('The assistant handed over to a person'),
    );
  };
  const onMention = async ({ mention }: Mentioned) => {
    const { _id, chatId, visitorName: visitor, siteName, by, preview, path } = mention;
    const seen = await watched();
    if (seen?.includes(chatId)) return;
    toastAction({
      id: `mentioned ${_id}`,
      text: t('{name} mentioned you in the chat with {visitor}', {
        name: by.name,
        visitor: visitorName(visitor),
      }),
      label: t('Open'),
      run: () => open(path),
    });
    if (!isRinger()) return;
    sound();
    if (seen === null) notify(chatId, visitor, siteName, t('{name}: {text}', { name: by.name, text: preview }), path);
  };
  const onTransfer = async ({ chat, by, to }: Transfer) => {
    if (!user || to?._id !== user._id || by._id === user._id) return;
    const name = visitorName(chat.visitorInfo.name);
    await pointTo(
      chat,
      t('{name} handed you the chat with {visitor}', { name: by.name, visitor: name }),
      t('{name} handed you this chat.', { name: by.name }),
    );
  };
  const onWoken = async ({ chat }: Woken) => {
    if (!(await isFor(chat.site._id, chat))) return;
    const name = visitorName(chat.visitorInfo.name);
    await pointTo(chat, t('The chat with {name} is back', { name }), t('This chat is back: its snooze is over.'));
  };
  useSocketEvents({ new_message: onMessage, chat_transferred: onTransfer, chat_woken: onWoken, mentioned: onMention });

  const remind = useEffectEvent(async () => {
    if (!user || !isRinger()) return;
    const { rings, notices } = reminderFor({ user, sites, departments }, chats, Date.now());
    if (rings) sound(REMINDED_WITHIN_MS);
    if (notices.length === 0 || (await watched()) !== null) return;
    for (const { _id, visitorInfo, site } of notices)
      notify(_id, visitorInfo.name, site.name, t('Still waiting for an answer.'));
  });
  useEffect(() => {
    const timer = setInterval(() => remind(), RING_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const [lookedAt, look] = useState(Date.now);
  const helpAt = nextHelpAt(departments, chats, lookedAt);
  useEffect(() => {
    if (helpAt === null) return;
    const timer = setTimeout(() => {
      look(Date.now());
      remind();
    }, helpAt - Date.now());
    return () => clearTimeout(timer);
  }, [helpAt]);

  useEffect(() => onNotificationClick(open), [open]);
}

function useOpenChat(): string | null {
  return new URLSearchParams(useLocation().search).get('chat');
}

/** Starts the service worker, and keeps the subscription to web push as the settings have it. */
function usePush(wanted: boolean | undefined): void {
  useEffect(() => {
    if (wanted !== undefined) void syncPushSubscription(wanted);
  }, [wanted]);
}
