import { type AuthDeps, updateProfile } from '../auth/actions.ts';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { dropPicture, takePicture } from '../auth/pictures.ts';
import type { Caller } from '../auth/sessions.ts';
import { bus } from '../bus.ts';
import { differing } from '../differing.ts';
import { unauthorized } from '../http/errors.ts';
import { disable, setUpFirst, type TwoFactorDeps } from '../twofactor/actions.ts';
import type { SettingsPatch } from './contract.ts';

/** What settings work with. */
export type SettingsDeps = AuthDeps & TwoFactorDeps;

/**
 * Changes one tab of the caller's settings; what the patch leaves out stays.
 * @throws AppError 409 for two-factor sign-in that was not set up, 422 for switching it off without the password, and as
 *   `updateProfile`
 */
export async function changeSettings(deps: SettingsDeps, caller: Caller, patch: SettingsPatch): Promise<UserDoc> {
  switch (patch.section) {
    case 'account':
      return updateProfile(deps, caller, patch.data);
    case 'widget': {
      const { logo, ...data } = patch.data;
      const picture =
        logo === undefined ? {} : { logo: await takePicture(deps, logo, { owner: caller.user._id, field: 'logo' }) };
      const user = await store(deps, caller, 'widget', { ...data, ...picture });
      if (logo !== undefined) await dropPicture(caller.user.widget?.logo);
      if (data.buttonText !== undefined || logo !== undefined) await bus.tell('launcherChanged', { owner: user._id });
      return user;
    }
    case 'notifications':
      return store(deps, caller, 'notifications', patch.data);
    case 'security': {
      const { twoFactorEnabled, sessionTimeout, currentPassword = '' } = patch.data;
      const isOn = caller.user.twoFactor !== undefined;
      if (twoFactorEnabled && !isOn) throw setUpFirst();
      if (twoFactorEnabled === false && isOn) await disable(deps, caller, currentPassword);
      return store(deps, caller, null, sessionTimeout === undefined ? {} : { sessionTimeoutHours: sessionTimeout });
    }
  }
}

/** Writes fields of the account, below `part` where they have one, and has every session read them anew. */
async function store({ sessions }: AuthDeps, { user }: Caller, part: string | null, data: object): Promise<UserDoc> {
  const fields = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [part === null ? name : `${part}.${name}`, value]),
  );
  if (Object.keys(fields).length === 0) return user;
  const userId = user._id.toHexString();
  const changed = await UserModel.findByIdAndUpdate(
    user._id,
    { $set: fields },
    { returnDocument: 'after' },
  ).lean<UserDoc>();
  sessions.forgetUser(userId);
  if (!changed) throw unauthorized();
  const changes = differing(user, fields);
  if (changes.length > 0) await bus.tell('accountChanged', { userId, fields: changes });
  return changed;
}
