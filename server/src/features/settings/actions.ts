import { Types } from 'mongoose';
import {
  type AuthDeps,
  type Caller,
  hasPassword,
  removePicture,
  type SessionCaller,
  storeFormPicture,
  type UserDoc,
  UserModel,
  updateProfile,
  userCache,
  userView,
} from '#features/auth';
import { SESSION_TIMEOUT_HOURS, SESSION_TIMEOUT_HOURS_DEFAULT } from '#features/auth/contract';
import { AUTO_AWAY_MINUTES } from '#features/presence/contract';
import { disable, notSetUp, type TwoFactorDeps } from '#features/twofactor';
import { events } from '#platform/events';
import { pictureUrl } from '#platform/files';
import { changedFields, invalid, unauthorized } from '#platform/http';
import { MINUTE_MS } from '#platform/time';
import {
  NOTIFICATION_SETTINGS_DEFAULTS,
  QUICK_REPLIES_MAX,
  type Settings,
  type SettingsPatch,
  WIDGET_SETTINGS_DEFAULTS,
  type WidgetSettings,
} from './contract.ts';
import { QUICK_REPLIES_REFUSAL } from './schemas.ts';

declare module '#platform/events' {
  interface Events {
    /** The button text of this owner's launchers or the logo of the widgets has changed. */
    launcherChanged: { owner: Types.ObjectId };
  }
}

events.crossesNodes('launcherChanged', {
  encode: ({ owner }) => ({ owner: owner.toHexString() }),
  decode: ({ owner }) => ({ owner: new Types.ObjectId(owner) }),
});

/** The button text and the logo that the widgets of this owner's sites show. */
export async function launcherOf(owner: Types.ObjectId): Promise<Pick<WidgetSettings, 'buttonText' | 'logo'>> {
  const user = await userCache.find(owner.toHexString());
  const { buttonText = WIDGET_SETTINGS_DEFAULTS.buttonText, logo } = user?.widget ?? {};
  return { buttonText, logo: pictureUrl(logo) };
}

/** All settings of an account, as its owner sees them. */
export function settingsView(user: UserDoc): Settings {
  const { name, email, avatar } = userView(user);
  const { title, buttonText, position, primaryColor } = { ...WIDGET_SETTINGS_DEFAULTS, ...user.widget };
  const notifications = { ...NOTIFICATION_SETTINGS_DEFAULTS, ...user.notifications };
  const { emailNotifications, browserNotifications, soundEnabled, answerByMail } = notifications;
  const sessionTimeout = SESSION_TIMEOUT_HOURS.find((hours) => hours === user.sessionTimeoutHours);
  return {
    account: { name, email, avatar },
    widget: { title, buttonText, position, primaryColor, logo: pictureUrl(user.widget?.logo) },
    notifications: { emailNotifications, browserNotifications, soundEnabled, answerByMail },
    security: {
      twoFactorEnabled: user.twoFactor !== undefined,
      sessionTimeout: sessionTimeout ?? SESSION_TIMEOUT_HOURS_DEFAULT,
      ...(!hasPassword(user) && { passwordless: true as const }),
    },
    availability: { autoAwayMinutes: AUTO_AWAY_MINUTES.find((minutes) => minutes === user.autoAwayMinutes) ?? 0 },
    keyboard: { singleKeyShortcuts: user.singleKeyShortcuts ?? true },
    language: { language: user.language ?? 'auto' },
    quickReplies: { bySite: user.quickReplies ?? {} },
  };
}

/** What changing settings needs from the server. */
export type SettingsDeps = AuthDeps & TwoFactorDeps;

/**
 * Changes one tab of the caller's settings; fields that the patch leaves out keep their values.
 * @throws AppError 409 for switching on two-factor sign-in that was not set up, 422 for switching it off without the
 *   confirmation, and as `updateProfile`
 */
export async function changeSettings(
  deps: SettingsDeps,
  caller: SessionCaller,
  patch: SettingsPatch,
): Promise<UserDoc> {
  switch (patch.section) {
    case 'account':
      return updateProfile(deps, caller, patch.data);
    case 'widget': {
      const { logo, ...data } = patch.data;
      const picture =
        logo === undefined
          ? {}
          : { logo: await storeFormPicture(deps, logo, { owner: caller.user._id, field: 'logo' }) };
      const user = await store(deps, caller, 'widget', { ...data, ...picture });
      if (logo !== undefined) await removePicture(caller.user.widget?.logo);
      if (data.buttonText !== undefined || logo !== undefined)
        await events.emit('launcherChanged', { owner: user._id });
      return user;
    }
    case 'notifications':
      return store(deps, caller, 'notifications', patch.data);
    case 'availability': {
      const user = await store(deps, caller, null, patch.data);
      const awayAfterMs = (user.autoAwayMinutes ?? 0) * MINUTE_MS;
      await events.emit('autoAwayChosen', { userId: user._id.toHexString(), awayAfterMs });
      return user;
    }
    case 'keyboard':
    case 'language':
      return store(deps, caller, null, patch.data);
    case 'quickReplies': {
      const bySite = Object.entries(patch.data.bySite ?? {}).map(([site, reply]) => [site, reply ?? undefined]);
      const all = Object.values({ ...caller.user.quickReplies, ...Object.fromEntries(bySite) });
      if (all.filter(Boolean).length > QUICK_REPLIES_MAX)
        throw invalid([{ path: 'data.bySite', msg: QUICK_REPLIES_REFUSAL }]);
      return store(deps, caller, 'quickReplies', Object.fromEntries(bySite));
    }
    case 'security': {
      const { twoFactorEnabled, sessionTimeout, ...confirmation } = patch.data;
      const isOn = caller.user.twoFactor !== undefined;
      if (twoFactorEnabled && !isOn) throw notSetUp();
      if (twoFactorEnabled === false && isOn) await disable(deps, caller, confirmation);
      return store(deps, caller, null, sessionTimeout === undefined ? {} : { sessionTimeoutHours: sessionTimeout });
    }
  }
}

/**
 * Writes fields of the account, inside `part` where it is given, and drops the cached account so that every session reads
 * them. An undefined value removes its field.
 */
async function store({ sessions }: AuthDeps, { user }: Caller, part: string | null, data: object): Promise<UserDoc> {
  const fields = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [part === null ? name : `${part}.${name}`, value]),
  );
  if (Object.keys(fields).length === 0) return user;
  const userId = user._id.toHexString();
  const gone = Object.keys(fields).filter((name) => fields[name] === undefined);
  const changed = await UserModel.findByIdAndUpdate(
    user._id,
    { $set: fields, $unset: Object.fromEntries(gone.map((name) => [name, ''])) },
    { returnDocument: 'after' },
  ).lean<UserDoc>();
  sessions.forgetUser(userId);
  if (!changed) throw unauthorized();
  const changes = changedFields(user, fields);
  if (changes.length > 0) await events.emit('accountChanged', { userId, fields: changes });
  return changed;
}
