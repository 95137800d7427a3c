import type { Types } from 'mongoose';
import { viewersOf } from '../chats/live.ts';
import type { Feature } from '../feature.ts';
import { rooms } from '../namespaces.ts';
import { startAssigning } from './assign.ts';

/** Assignment of chats to members. */
export const assign: Feature = {
  async start({ presence, now }, { staff }) {
    const viewers = ({ _id, site }: { _id: Types.ObjectId; site: Types.ObjectId }) =>
      viewersOf(staff, rooms.chat(site.toHexString(), _id.toHexString()));
    return (await startAssigning({ presence, now, viewersOf: viewers })).stop;
  },
};
