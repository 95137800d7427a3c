import { DISK_LEVELS, type ModelTest, type NodeProblem, type PushTest, type SelfCheck } from 'server/contract';
import { formatDate } from '../../lib/format.ts';
import { ApiError } from '../../lib/http.ts';
import { msg, plural, sentences, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';

/** The result of a check, in a sentence that also says what to do. */
export interface Outcome {
  state: 'ok' | 'attention' | 'failed';
  says: string;
  /** The screen where it can be fixed, with its English name. */
  way?: { to: string; label: string };
}

/** A widget that was not seen for this time has probably been removed from the pages. */
const SEEN_LATELY_MS = 7 * 24 * 3_600_000;
const NOTIFICATIONS = { to: paths.notificationSettings, label: msg('Notification settings') };

export const ok = (says: string): Outcome => ({ state: 'ok', says });
export const attention = (says: string, way?: Outcome['way']): Outcome => ({
  state: 'attention',
  says,
  ...(way && { way }),
});
export const failed = (says: string): Outcome => ({ state: 'failed', says });

/** @param played whether the browser let the page make a sound @param wanted by the settings */
export function soundOutcome(played: boolean, wanted: boolean): Outcome {
  if (!played) return failed(t('The browser mutes this page. Allow sound for it in the browser’s site settings.'));
  if (!wanted) return attention(t('You heard a tone just now, but for messages sound is switched off.'), NOTIFICATIONS);
  return ok(t('You heard two soft notes just now. If not, turn up the volume and check whether the tab is muted.'));
}

/** @param shown whether a test notification could be handed to the system */
export function desktopOutcome(
  permission: NotificationPermission | 'unsupported',
  shown: boolean,
  wanted: boolean,
): Outcome {
  if (permission === 'unsupported')
    return attention(t('This browser has no notifications here. On an iPhone, add Parley to the home screen first.'));
  if (permission === 'denied')
    return failed(t('Notifications are blocked. Allow them beside the address of this page, then run this again.'));
  if (permission === 'default') return attention(t('You have not decided yet. Run this again and choose “Allow”.'));
  if (!shown) return failed(t('The system did not accept the notification. Restart the browser and try again.'));
  if (!wanted) return attention(t('A notification appeared, but for messages they are switched off.'), NOTIFICATIONS);
  return ok(t('A notification appeared just now. If not, check whether “do not disturb” is on.'));
}

/** @param secure whether the page came over https, without which browsers take no push messages */
export function pushOutcome({ sent, failed: lost }: PushTest, secure: boolean, wanted: boolean): Outcome {
  if (sent > 0)
    return ok(
      plural(
        sent,
        'A push message was sent to {count} device of yours.',
        'A push message was sent to {count} devices of yours.',
      ),
    );
  if (lost > 0)
    return failed(
      t('The browser’s push service did not accept the message. Check that the server can reach the internet.'),
    );
  if (!secure) return attention(t('Push messages need https. Put the server behind a proxy with a certificate.'));
  if (!wanted)
    return attention(t('Browser notifications are switched off, and push messages with them.'), NOTIFICATIONS);
  return attention(
    t(
      'None of your devices receives push messages yet. Allow notifications in a window that is not private, then run this again.',
    ),
  );
}

/** @param answer the address that was mailed to, or why it was not */
export function mailOutcome(answer: { to: string } | Error, wanted: boolean): Outcome {
  if (answer instanceof Error) {
    const off = answer instanceof ApiError && answer.code === 'MAIL_OFF';
    return off
      ? attention(sentences(answer.message, t('No mails are sent, so you have to send links yourself.')))
      : failed(answer.message);
  }
  if (!wanted)
    return attention(t('A mail was sent to {to}, but you have mails switched off.', { to: answer.to }), NOTIFICATIONS);
  return ok(
    t('The mail server accepted a mail to {to}. Check that it arrives, also in the spam folder.', { to: answer.to }),
  );
}

/** @param test what the language model said, or why it said nothing */
export function modelOutcome({ name, host }: NonNullable<SelfCheck['model']>, test: ModelTest | Error): Outcome {
  if (test instanceof Error) return failed(test.message);
  const seconds = (test.ms / 1_000).toFixed(1);
  if (test.answer === '')
    return attention(
      t('{name} at {host} thought for {seconds} s, and said nothing. A model that thinks less is faster.', {
        name,
        host,
        seconds,
      }),
    );
  const says = t('{name} at {host} answered “{answer}” after {seconds} s.', {
    name,
    host,
    answer: test.answer,
    seconds,
  });
  return test.isEstimated
    ? attention(sentences(says, t('It does not say how many tokens it uses, so they are estimated.')))
    : ok(says);
}

/** @param transport how the socket is carried; null: there is no connection */
export function socketOutcome(transport: string | null): Outcome {
  if (transport === null) return failed(t('There is no live connection. Check that the proxy passes /socket.io on.'));
  if (transport === 'websocket') return ok(t('Messages arrive over a WebSocket, without delay.'));
  return attention(t('Messages arrive by polling, which is slower. Let the proxy pass WebSockets (Upgrade) on.'));
}

/** @param local whether the page is this computer's own, where browsers ask for no certificate */
export function httpsOutcome({ https }: SelfCheck['connection'], local: boolean): Outcome {
  if (https) return ok(t('The connection is encrypted.'));
  if (local) return ok(t('Not encrypted, which is fine on this computer. Anywhere else, use https.'));
  return attention(t('The connection is not encrypted: passwords and chats can be read on the way. Use https.'));
}

/** What the server sees of proxies in front of it. */
export function proxyOutcome({ proxy, ip }: SelfCheck['connection']): Outcome {
  if (proxy === 'none') return ok(t('No proxy in between. The server sees you as {ip}.', { ip }));
  if (proxy === 'trusted') return ok(t('The server trusts the proxy in between and sees you as {ip}.', { ip }));
  return attention(
    t('TRUST_PROXY does not name the proxy in between: everybody seems to come from {ip} and shares its limits.', {
      ip,
    }),
  );
}

/** Whether links in mails lead here. */
export function addressOutcome({ isPublicUrl, host }: SelfCheck['connection']): Outcome {
  if (isPublicUrl === null)
    return attention(t('PUBLIC_URL is not set, so mails cannot have links. Set it to this address.'));
  if (!isPublicUrl)
    return attention(
      t('You are using {host}, which is not PUBLIC_URL. Links in mails lead to another address.', { host }),
    );
  return ok(t('Links in mails lead to {host}.', { host }));
}

/** Whether the server can still keep what is written, and for how much longer. */
export function storageOutcome({ writable, percentFull }: SelfCheck['storage']): Outcome {
  if (!writable)
    return failed(t('The server cannot save data. Check that the disk is not full and the database can be reached.'));
  if (percentFull === null)
    return attention(
      t('The database does not say how full its disk is, so nobody is warned before it is full. Watch it yourself.'),
    );
  const share = percentFull ?? 0;
  if (share >= DISK_LEVELS[0])
    return attention(t("The server's disk is {share} % full. When it is full, new messages are refused.", { share }));
  return ok(t('Messages can be saved.'));
}

const NODE_PROBLEMS: Record<NodeProblem, string> = {
  redis: msg(
    '{address} cannot reach Redis, so people on other nodes see its messages late. Check Redis and REDIS_URL.',
  ),
  clock: msg(
    '{address} has a clock that differs from the database’s by more than two seconds. Set up time synchronization (NTP).',
  ),
  silent: msg('{address} has crashed or cannot reach the database. Restart it.'),
  version: msg('{address} runs another version. Finish the update.'),
};

/** Whether several processes work as one Parley. */
export function nodesOutcome(nodes: SelfCheck['nodes']): Outcome {
  for (const { address, problems } of nodes)
    for (const problem of problems) return attention(t(NODE_PROBLEMS[problem], { address }));
  return ok(
    nodes.length > 1
      ? plural(nodes.length, '{count} node works together.', '{count} nodes work together.')
      : t('A single process does all the work.'),
  );
}

/** Whether one site's widget is in its pages. @param now milliseconds */
export function widgetOutcome({ _id, widgetEnabled, installation }: SelfCheck['sites'][number], now: number): Outcome {
  const { seenAt, origin } = installation;
  const embed = { to: paths.embedCode(_id), label: msg('Embed Code') };
  if (!widgetEnabled) return attention(t('The widget is switched off.'), { to: paths.sites, label: msg('Sites') });
  if (seenAt === null) return attention(t('The widget has not been seen on any page yet.'), embed);
  const values = { day: formatDate(seenAt), origin: origin ?? '–' };
  if (now - Date.parse(seenAt) > SEEN_LATELY_MS)
    return attention(t('The widget was last seen on {day}, on {origin}. Is it still on your pages?', values), embed);
  return ok(t('The widget was seen on {origin}, last on {day}.', values));
}
