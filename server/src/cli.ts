import { openDatabaseForCommand } from '#app/database';
import { startAuditLog } from '#features/audit';
import { OperatorError, promote, resetLinkFor } from '#features/auth';
import { disableFor } from '#features/twofactor';
import { type Env, EnvError, readEnv } from '#platform/env';
import { events } from '#platform/events';
import { StoreError } from '#store';

const USAGE = `Usage:
  npm run admin -- promote EMAIL          makes the account a platform admin
  npm run admin -- reset-password EMAIL   prints a link that sets a new password; it works once and expires in an hour
  npm run admin -- two-factor-off EMAIL   turns two-factor authentication off for somebody who lost phone and recovery codes`;

const COMMANDS: Record<string, (email: string, env: Env) => Promise<string>> = {
  promote,
  'reset-password': (email, { publicUrl, port }) =>
    resetLinkFor(email, publicUrl ?? `http://localhost:${port}`, Date.now()),
  'two-factor-off': disableFor,
};

/** Runs an operator's command, whether or not the server runs meanwhile. @returns the text to print */
async function run([name = '', email = '', ...more]: string[]): Promise<string> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || email === '' || more.length > 0) throw new OperatorError(USAGE);
  const env = readEnv(process.env);
  const leave = await openDatabaseForCommand(env, new URL('./store-worker.js', import.meta.url));
  const stopAuditLog = startAuditLog(Date.now);
  try {
    return await command(email.trim().toLowerCase(), env);
  } finally {
    stopAuditLog();
    await leave();
  }
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof OperatorError || error instanceof EnvError || error instanceof StoreError) return error.message;
  const isAway = error instanceof Error && /^Mongo\w*(ServerSelection|Network)/.test(error.name);
  return isAway ? 'The database does not answer. Check that it runs and that its address is correct.' : null;
}

events.reportTo((error) => console.error(error));
try {
  console.log(`\n${await run(process.argv.slice(2))}\n`);
} catch (error) {
  const sentence = sentenceOf(error);
  console.error(sentence === null ? error : `\n${sentence}\n`);
  process.exitCode = 1;
}
