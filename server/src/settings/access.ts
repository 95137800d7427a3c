import type { Types } from 'mongoose';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { WIDGET_SETTINGS_DEFAULTS } from './contract.ts';

/** What the launchers of this owner's sites say. */
export async function buttonTextOf(owner: Types.ObjectId): Promise<string> {
  const user = await UserModel.findById(owner, { 'widget.buttonText': 1 }).lean<Pick<UserDoc, 'widget'>>();
  return user?.widget?.buttonText ?? WIDGET_SETTINGS_DEFAULTS.buttonText;
}
