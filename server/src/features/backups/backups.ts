import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { mailPlatformAdmins } from '#features/auth';
import type { BackupSettings } from '#platform/env';
import { events } from '#platform/events';
import { type Mail, type MailDraft, mailText } from '#platform/mail';
import { DAY_MS, HOUR_MS } from '#platform/time';
import { startJobs } from '#platform/work';
import type { BackupNotice, BackupReport } from './contract.ts';
import {
  backupBytes,
  backupName,
  completeBackup,
  listBackups,
  rotateBackups,
  tidyFolder,
  uncheckedPath,
} from './folder.ts';

/** The interval of looking whether one is due, and so of further tries after a failure. */
const LOOK_EVERY_MS = HOUR_MS;
/** A backup is due this long after the last one, so that hourly looks make one a day, and not always later. */
const DUE_AFTER_MS = DAY_MS - HOUR_MS / 2;
/** Copying or checking some hundred gigabytes takes less. One that hangs would end all backups. */
const COMMAND_MAX_MS = 6 * HOUR_MS;
const REASON_MAX_LENGTH = 300;

interface BackupDeps {
  settings: BackupSettings;
  dataDir: string;
  /** The program with the commands `backup` and `check`. */
  command: URL;
  mail: Mail;
  log: Logger;
  now: () => number;
  everyMs?: number | undefined;
  maxMs?: number | undefined;
}

/** Daily backups of the embedded store, each checked before it counts. */
export interface Backups {
  report(): Promise<BackupReport>;
  /** The notice for platform admins; null: the last backup succeeded. */
  notice(): Promise<BackupNotice | null>;
  stop(): Promise<void>;
}

/**
 * Starts the daily backups. Which exist is read from their folder, so that a restart neither repeats nor skips one. Copy and check
 * run in processes of their own with a low priority: LMDB allows each process to open a file once.
 */
export function startBackups(deps: BackupDeps): Backups {
  const { settings, dataDir, command, mail, log, now, everyMs = LOOK_EVERY_MS, maxMs = COMMAND_MAX_MS } = deps;
  const { folder, keep } = settings;
  let failure: { at: number; reason: string } | null = null;

  async function look(at: number, signal: AbortSignal): Promise<void> {
    try {
      const newest = (await listBackups(folder)).at(-1);
      if (newest && at - newest.at < DUE_AFTER_MS) return;
      await backUp(at, signal);
      if (failure) await changed(null);
    } catch (error) {
      if (signal.aborted) return;
      const isNews = failure === null;
      await changed({ at, reason: reasonOf(error) });
      log.error({ err: error }, 'the automatic backup has failed');
      if (isNews) await mailAdmins();
    }
  }

  async function backUp(at: number, signal: AbortSignal): Promise<void> {
    const name = backupName(at);
    const copy = uncheckedPath(folder, name);
    await tidyFolder(folder);
    try {
      await run(['backup', copy], dataDir, signal);
      await run(['check'], copy, signal);
    } catch (error) {
      // A partial copy would take room until the next try, an hour later.
      await tidyFolder(folder);
      throw error;
    }
    await completeBackup(folder, name);
    await rotateBackups(folder, keep);
    log.info({ backup: name }, 'backup complete');
  }

  /** @throws Error with what the command said */
  async function run(args: string[], dataFolder: string, signal: AbortSignal): Promise<void> {
    const { PATH, SystemRoot } = process.env;
    const child = spawn(process.execPath, [fileURLToPath(command), ...args], {
      env: { PATH, SystemRoot, DATA_DIR: dataFolder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const late = AbortSignal.timeout(maxMs);
    const ended = AbortSignal.any([signal, late]);
    const end = () => child.kill('SIGTERM');
    ended.addEventListener('abort', end);
    if (ended.aborted) end();
    const output = text(child.stderr);
    const [code] = await once(child, 'close').finally(() => ended.removeEventListener('abort', end));
    if (late.aborted) throw new Error(`The backup was ended because it took longer than ${maxMs / HOUR_MS} hours.`);
    if (code !== 0) throw new Error((await output).trim() || `The backup ended with code ${code}.`);
  }

  async function changed(next: typeof failure): Promise<void> {
    failure = next;
    await events.emit('noticesChanged', { siteId: null });
  }

  /** One mail for all tries that fail in a row, also across restarts. */
  async function mailAdmins(): Promise<void> {
    const lastAt = await newestAt();
    await mailPlatformAdmins(mail, {
      content: failureMail(failure?.reason ?? '', lastAt),
      key: `backup:after:${lastAt}`,
    });
  }

  async function newestAt(): Promise<string | null> {
    const newest = (await listBackups(folder).catch(() => [])).at(-1);
    return newest ? new Date(newest.at).toISOString() : null;
  }

  const failed = (error: unknown) => events.fail(error, 'the backups');
  const jobs = startJobs([look], { everyMs, now, failed });

  return {
    async report() {
      const backups = await listBackups(folder).catch(() => []);
      const newest = backups.at(-1);
      return {
        last: newest
          ? { at: new Date(newest.at).toISOString(), bytes: await backupBytes(folder, newest.name).catch(() => 0) }
          : null,
        count: backups.length,
        keep,
        failure: failure && { at: new Date(failure.at).toISOString(), reason: failure.reason },
      };
    },
    async notice() {
      return failure && { about: 'backup', reason: failure.reason, lastAt: await newestAt() };
    },
    stop: () => jobs.stop(),
  };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX_LENGTH);
}

function failureMail(reason: string, lastAt: string | null): Omit<MailDraft, 'to'> {
  return {
    kind: 'backup',
    subject: mailText('The backup of your Parley has failed'),
    text: [
      mailText('Reason: {reason}', { reason }),
      lastAt
        ? mailText('The newest complete backup is from {time}.', { time: lastAt })
        : mailText('There is no complete backup yet.'),
      mailText('Parley tries again every hour. You get no further mail until a backup has succeeded.'),
    ],
    action: { label: mailText('Open the administration'), path: '/admin' },
    footer: mailText('You get this mail because you administer this server.'),
  };
}
