import type { Types } from 'mongoose';
import { type UserDoc, UserModel } from '../auth/model.ts';
import type { Sessions } from '../auth/sessions.ts';
import { bus } from '../bus.ts';
import { type ChatDoc, ChatModel, type MessageDoc } from '../chats/model.ts';
import type { Presence } from '../presence/presence.ts';
import type { Notice, Push } from '../push/send.ts';
import { memberOf } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import { can } from '../team/contract.ts';
import { createPace } from './pace.ts';

/** However fast a visitor writes, a chat rings no oftener. */
const RING_EVERY_MS = 10_000;
/** In characters: a lock screen shows no more. */
const PREVIEW_LENGTH = 120;
const TITLE_LENGTH = 100;

/** What devices are rung with. */
export interface BellDeps {
  push: Push;
  presence: Presence;
  sessions: Sessions;
}

/** A visitor's message rings the devices of those who would miss it. Gives the function that stops it. */
export function ringDevices(deps: BellDeps): () => void {
  const pace = createPace(RING_EVERY_MS);
  const stopListening = bus.on('messageAdded', ({ chat, site, message }) => {
    if (message.sender !== 'visitor' || chat.bot) return;
    // Nothing waits for a push service: what follows in the chat is announced meanwhile.
    pace.run(chat._id.toHexString(), () => {
      ring(deps, site, message).catch((error) => bus.fail(error, 'push'));
    });
  });
  return () => {
    stopListening();
    pace.stop();
  };
}

/** Rings for a message, if nobody has read it yet; the claimer's devices, or everybody's whose chat it may become. */
export async function ring(deps: BellDeps, site: SiteDoc, message: MessageDoc): Promise<void> {
  const chat = await ChatModel.findById(message.chat).lean<ChatDoc>();
  if (!chat || chat.status === 'closed' || chat.receipts.staff.read >= message.seq) return;
  const notice = noticeOf(chat, site, message);
  await Promise.all((await listeners(deps, chat, site)).map((user) => tell(deps, user, notice)));
}

/** Who is to hear of a chat, wants to, and has no dashboard open that would tell. */
async function listeners({ presence }: BellDeps, chat: ChatDoc, site: SiteDoc): Promise<UserDoc[]> {
  if (!site.settings.notifications) return [];
  const mayAnswer = site.team.flatMap(({ user }) => {
    const member = memberOf(site, user);
    return member && can(member, 'chats.reply') ? [user] : [];
  });
  const asked = chat.claimedBy ? mayAnswer.filter((user) => chat.claimedBy?.equals(user)) : mayAnswer;
  const absent = asked.filter((user) => !presence.agentIsConnected(user.toHexString()));
  const users = await UserModel.find({ _id: { $in: absent } }).lean<UserDoc[]>();
  return users.filter(
    ({ available, notifications, suspendedAt, deletedAt }) =>
      (available || chat.claimedBy) && notifications?.browserNotifications !== false && !suspendedAt && !deletedAt,
  );
}

async function tell({ push, sessions }: BellDeps, user: UserDoc, notice: Notice): Promise<void> {
  const living = await sessions.list(user);
  const ids: Types.ObjectId[] = living.map(({ _id }) => _id);
  await push.send({ user: user._id, sessions: ids }, notice);
}

function noticeOf({ _id, status, visitorInfo }: ChatDoc, site: SiteDoc, { content }: MessageDoc): Notice {
  return {
    title: cut(`${visitorInfo.name ?? 'Visitor'} · ${site.name}`, TITLE_LENGTH),
    body: status === 'waiting' ? 'A visitor is waiting for an answer.' : 'New message',
    preview: cut(content, PREVIEW_LENGTH),
    chatId: _id.toHexString(),
  };
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
