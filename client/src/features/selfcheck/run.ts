import type { NotificationSettings, SelfCheck } from 'server/contract';
import { call } from '../../lib/api.ts';
import { askNotificationPermission, showNotification } from '../../lib/desktopNotifications.ts';
import { msg, t } from '../../lib/i18n.ts';
import { playMessageSound } from '../../lib/sound.ts';
import { syncPushSubscription } from '../../lib/webPush.ts';
import {
  addressOutcome,
  desktopOutcome,
  httpsOutcome,
  mailOutcome,
  modelOutcome,
  nodesOutcome,
  type Outcome,
  proxyOutcome,
  pushOutcome,
  socketOutcome,
  soundOutcome,
  storageOutcome,
  widgetOutcome,
} from './outcome.ts';

/** What the checks need besides the server. */
export interface Environment {
  wanted: NotificationSettings;
  /** How the socket is carried; null: there is no connection. */
  transport: string | null;
}

/** The checks by their English names, in the order of the screen; that of the nodes, if they are shown, and those of the widgets follow. */
export const CHECKS = [
  msg('Sound'),
  msg('Desktop notifications'),
  msg('Push messages'),
  msg('Mail'),
  msg('Live connection'),
  msg('Encryption'),
  msg('Proxy'),
  msg('Public address'),
  msg('Storage'),
] as const;

type Check = (typeof CHECKS)[number];
type Found = (name: string, outcome: Outcome) => void;

/** Runs all checks and reports each outcome. Call it in a click: sound and permissions need a user gesture. */
export async function runChecks({ wanted, transport }: Environment, report: Found): Promise<void> {
  const found = (name: Check, outcome: Outcome) => report(name, outcome);
  found(msg('Live connection'), socketOutcome(transport));
  const sound = playMessageSound().then((played) => found(msg('Sound'), soundOutcome(played, wanted.soundEnabled)));
  const mail = orError(call('POST /self-check/mail')).then((answer) =>
    found(msg('Mail'), mailOutcome(answer, wanted.emailNotifications)),
  );
  const server = orError(call('GET /self-check')).then(async (answer) => {
    reportServer(answer, report);
    if (answer instanceof Error || !answer.model) return;
    const said = await orError(call('POST /self-check/model'));
    const test = said instanceof Error ? said : said.test;
    if (test) report(msg('Language model'), modelOutcome(answer.model, test));
  });
  found(msg('Desktop notifications'), await tryDesktop(wanted.browserNotifications));
  found(msg('Push messages'), await tryPush(wanted.browserNotifications));
  await Promise.all([sound, mail, server]);
}

async function tryDesktop(wanted: boolean): Promise<Outcome> {
  const permission = await askNotificationPermission();
  const notice = { title: 'Parley', body: t('Notifications appear on this screen.'), chatId: null };
  const shown = await showNotification(notice, () => undefined).then(
    () => true,
    () => false,
  );
  return desktopOutcome(permission, shown, wanted);
}

async function tryPush(wanted: boolean): Promise<Outcome> {
  // The permission may just have been granted.
  await syncPushSubscription(wanted);
  const answer = await orError(call('POST /self-check/push'));
  if (answer instanceof Error) return { state: 'failed', says: answer.message };
  return pushOutcome(answer, window.isSecureContext, wanted);
}

function reportServer(answer: SelfCheck | Error, report: Found): void {
  if (answer instanceof Error) {
    const outcome: Outcome = { state: 'failed', says: answer.message };
    for (const name of [msg('Encryption'), msg('Proxy'), msg('Public address'), msg('Storage')] satisfies Check[])
      report(name, outcome);
    return;
  }
  const { connection, storage, nodes, sites } = answer;
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  report(msg('Encryption'), httpsOutcome(connection, local));
  report(msg('Proxy'), proxyOutcome(connection));
  report(msg('Public address'), addressOutcome(connection));
  report(msg('Storage'), storageOutcome(storage));
  if (nodes.length > 0) report(msg('Nodes'), nodesOutcome(nodes));
  for (const site of sites)
    report(t('Widget of {name}, {domain}', { name: site.name, domain: site.domain }), widgetOutcome(site, Date.now()));
}

/** Turns a rejection into an outcome. */
function orError<Data>(answer: Promise<Data>): Promise<Data | Error> {
  return answer.catch((error: unknown) => (error instanceof Error ? error : new Error(t('The call failed.'))));
}
