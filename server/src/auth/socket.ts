import { flag } from '../http/fields.ts';
import { rooms } from '../hub.ts';
import type { Presence } from '../presence/presence.ts';
import type { StaffDoor } from './door.ts';
import { UserModel } from './model.ts';
import type { Sessions } from './sessions.ts';

/** What a dashboard's socket does to its account: it makes the agent present, and switches availability. */
export function authSocket(door: StaffDoor, deps: { presence: Presence; sessions: Sessions }): void {
  const { socket } = door;
  const { userId, sessionId, available } = socket.data;
  void socket.join([rooms.user(userId), rooms.session(sessionId)]);
  deps.presence.agentArrived(userId, available);
  socket.on('disconnect', () => deps.presence.agentLeft(userId));

  door.on('set_availability', { online: { ...flag('online'), optional: false } }, async ({ online }) => {
    await UserModel.updateOne({ _id: userId }, { $set: { available: online } });
    deps.sessions.forgetUser(userId);
    deps.presence.setAvailable(userId, online);
    return { online };
  });
}
