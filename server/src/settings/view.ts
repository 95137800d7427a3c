import { SESSION_TIMEOUT_HOURS, SESSION_TIMEOUT_HOURS_DEFAULT } from '../auth/contract.ts';
import type { UserDoc } from '../auth/model.ts';
import { userView } from '../auth/view.ts';
import { pictureUrl } from '../files/view.ts';
import { NOTIFICATION_SETTINGS_DEFAULTS, type Settings, WIDGET_SETTINGS_DEFAULTS } from './contract.ts';

/** Everything that an account has set, as its owner sees it. */
export function settingsView(user: UserDoc): Settings {
  const { name, email, avatar } = userView(user);
  const { title, buttonText, position, primaryColor } = { ...WIDGET_SETTINGS_DEFAULTS, ...user.widget };
  const notifications = { ...NOTIFICATION_SETTINGS_DEFAULTS, ...user.notifications };
  const { emailNotifications, browserNotifications, soundEnabled } = notifications;
  const sessionTimeout = SESSION_TIMEOUT_HOURS.find((hours) => hours === user.sessionTimeoutHours);
  return {
    account: { name, email, avatar },
    widget: { title, buttonText, position, primaryColor, logo: pictureUrl(user.widget?.logo) },
    notifications: { emailNotifications, browserNotifications, soundEnabled },
    security: {
      twoFactorEnabled: user.twoFactor !== undefined,
      sessionTimeout: sessionTimeout ?? SESSION_TIMEOUT_HOURS_DEFAULT,
    },
  };
}
