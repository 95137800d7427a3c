import { markBlocked } from '../chats/person.ts';
import type { VisitorAccess } from './access.ts';
import { VisitorModel } from './model.ts';

/** Refuses a visitor's messages from now on, or takes them again; repeating it is harmless. */
export async function setBlocked({ visitor, site }: VisitorAccess, blocked: boolean): Promise<void> {
  await VisitorModel.updateOne({ _id: visitor._id, erasedAt: null }, { $set: { blocked } });
  await markBlocked({ visitor: visitor._id, site }, blocked);
}
