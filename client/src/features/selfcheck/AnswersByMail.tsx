import { useMutation, useQuery } from '@tanstack/react-query';
import type { MailInCheck, MailInState } from 'server/contract';
import { doorTitle } from '#features/mailin';
import { call } from '../../lib/api.ts';
import { failureText } from '../../lib/http.ts';
import { msg, sentences, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { attention, failed, type Outcome, ok } from './outcome.ts';
import { Row } from './Row.tsx';

/** How soon it is seen that a mail of the check has arrived. */
const CHECK_EVERY_MS = 2_000;

/** Whether answers to mails come in. It has a button of its own: mails take their time. For platform admins. */
export function AnswersByMail() {
  const { data: mailIn, error } = useQuery({
    queryKey: ['selfCheck', 'mailIn'],
    queryFn: async ({ signal }) => (await call('GET /admin/mail-in', { signal })).mailIn,
    staleTime: 0,
  });
  const begin = useMutation({ mutationFn: async () => (await call('POST /self-check/mail-in')).check });
  const check = useCheck(begin.data);
  const failure = error ?? begin.error ?? check.error;
  const running = !failure && (begin.isPending || (check.data !== undefined && !isDecided(check.data)));
  const done = check.data && !running ? check.data : undefined;
  const outcome = failure ? failed(failureText(failure, t('The call failed.'))) : outcomeOf(mailIn, done);
  return (
    <Row name={msg('Answers by mail')} outcome={outcome} running={running}>
      {mailIn && (
        <>
          <p role="status" className="text-muted wrap-anywhere empty:hidden">
            {running && progressText(check.data)}
            {!running && !outcome && t('Sends two mails to {address}, as visitors would.', { address: mailIn.address })}
          </p>
          <Button variant="secondary" size="sm" className="mt-2" busy={running} onClick={() => begin.mutate()}>
            {outcome ? t('Send again') : t('Send a test')}
          </Button>
        </>
      )}
    </Row>
  );
}

/** The check that was begun last, as it goes on. */
function useCheck(begun: MailInCheck | undefined) {
  const checkId = begun?._id ?? '';
  return useQuery({
    queryKey: ['selfCheck', 'mailIn', checkId],
    queryFn: async ({ signal }) =>
      (await call('GET /self-check/mail-in/:checkId', { params: { checkId }, signal })).check,
    enabled: checkId !== '',
    ...(begun && { initialData: begun }),
    refetchInterval: ({ state }) => (state.error || (state.data && isDecided(state.data)) ? false : CHECK_EVERY_MS),
  });
}

const isDecided = ({ plus, isOver }: MailInCheck) => plus !== null || isOver;

function progressText(check: MailInCheck | undefined): string {
  if (!check?.plain) return t('Waiting for the mails...');
  return sentences(arrivedText(check.plain), t('Waiting for the one with a token...'));
}

function arrivedText({ via, ms }: NonNullable<MailInCheck['plain']>): string {
  return t('A mail has arrived through “{door}” after {seconds} s.', {
    door: doorTitle(via),
    seconds: Math.max(1, Math.round(ms / 1_000)),
  });
}

/** @param mailIn null: mails cannot be answered @param check when it is over */
function outcomeOf(mailIn: MailInState | null | undefined, check: MailInCheck | undefined): Outcome | undefined {
  if (mailIn === null)
    return attention(t('Mails cannot be answered, because neither MAIL_IN_URL nor MAIL_IN_SECRET is set.'));
  if (!mailIn || !check) return undefined;
  const { address, doors } = mailIn;
  if (check.plus) return ok(sentences(arrivedText(check.plus), t('Answers arrive.')));
  if (check.plain)
    return attention(
      sentences(
        arrivedText(check.plain),
        t('Mails to {address} arrive, but those with a + and a token do not.', { address }),
        t('Let the mail server accept them: plus addresses, {setting} in Postfix, or a catch-all.', {
          setting: 'recipient_delimiter = +',
        }),
        t('Until then, answers are recognised by the mail that they reply to, which not every mail program names.'),
      ),
    );
  const errors = doors.flatMap(({ door, error }) =>
    error ? t('“{door}” is not open: {reason}', { door: doorTitle(door), reason: t(error) }) : [],
  );
  const advice = t('Check where mails to this address are delivered (MX), and the spam folder.');
  return failed(
    sentences(t('No mail has arrived at {address}.', { address }), ...(errors.length > 0 ? errors : [advice])),
  );
}
