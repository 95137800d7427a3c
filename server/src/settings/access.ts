import type { Types } from 'mongoose';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { pictureUrl } from '../files/view.ts';
import { WIDGET_SETTINGS_DEFAULTS, type WidgetSettings } from './contract.ts';

/** What the launchers of this owner's sites say, and the logo that their widgets show. */
export async function launcherOf(owner: Types.ObjectId): Promise<Pick<WidgetSettings, 'buttonText' | 'logo'>> {
  const chosen = { 'widget.buttonText': 1, 'widget.logo': 1 } as const;
  const user = await UserModel.findById(owner, chosen).lean<Pick<UserDoc, 'widget'>>();
  const { buttonText = WIDGET_SETTINGS_DEFAULTS.buttonText, logo } = user?.widget ?? {};
  return { buttonText, logo: pictureUrl(logo) };
}
