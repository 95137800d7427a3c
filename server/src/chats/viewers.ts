import { Types } from 'mongoose';
import { peopleById } from '../auth/view.ts';
import { rooms, type StaffHub } from '../hub.ts';
import { afterwards } from './queue.ts';

/**
 * Tells whoever has a chat open who else has. The rooms are the only list of it, so that a lost connection, a lost place
 * in the team and a second node need nothing of their own. Gives the function that stops it.
 */
export function announceViewers(hub: StaffHub): () => void {
  const onRoom = (room: string) => {
    const chatId = rooms.chatIn(room);
    if (chatId !== null) afterwards(chatId, () => tell(hub, room, chatId));
  };
  hub.adapter.on('join-room', onRoom);
  hub.adapter.on('leave-room', onRoom);
  return () => {
    hub.adapter.off('join-room', onRoom);
    hub.adapter.off('leave-room', onRoom);
  };
}

/** The ids of those who have a chat open, each once. */
export async function viewersOf(hub: StaffHub, room: string): Promise<Set<string>> {
  const sockets = await hub.in(room).fetchSockets();
  return new Set(sockets.map(({ data }) => data.userId));
}

async function tell(hub: StaffHub, room: string, chatId: string): Promise<void> {
  const ids = await viewersOf(hub, room);
  if (ids.size === 0) return;
  const people = await peopleById([...ids].map((id) => new Types.ObjectId(id)));
  const users = [...people].map(([_id, { name }]) => ({ _id, name }));
  hub.to(room).emit('viewers', { chatId, users });
}
