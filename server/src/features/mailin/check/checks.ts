import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { type Mail, type MailDraft, mailFailure, mailText } from '#platform/mail';
import { HOUR_S, SECOND_MS } from '#platform/time';
import type { MailDoor, MailInCheck } from '../contract.ts';
import type { ReadMail } from '../reading/mail.ts';
import { newToken, type ReplyAddresses } from '../replyAddresses.ts';

/** Of a mail that has not come by then, nobody waits for more. */
const WAITED_MS = 90 * SECOND_MS;
const KEPT_S = HOUR_S;

/** A self-check: which of its two mails have come in. Any node may receive them. */
interface MailCheckDoc {
  /** The token of the address to which the first is sent; the second names it in `References`, which survives mail servers that replace a `Message-ID`. */
  _id: string;
  startedAt: Date;
  /** How many of the two the mail server took. */
  sent: number;
  plus?: Arrival;
  plain?: Arrival;
}

interface Arrival {
  via: MailDoor;
  ms: number;
}

const arrival = { type: new Schema<Arrival>({ via: String, ms: Number }, { _id: false }) };
const checkSchema = new Schema<MailCheckDoc>(
  {
    _id: { type: String, required: true },
    startedAt: { type: Date, required: true },
    sent: { type: Number, required: true },
    plus: arrival,
    plain: arrival,
  },
  { versionKey: false },
);
checkSchema.index({ startedAt: 1 }, { expireAfterSeconds: KEPT_S });
const MailCheckModel = defineModel<MailCheckDoc>('MailCheck', checkSchema, 'mailchecks');

/** The self-checks of mails that come in. */
export interface MailChecks {
  /**
   * Sends a mail to the address with a token, and one to the address alone.
   * @throws AppError 409 `MAIL_FAILED`: the mail server took none of them
   */
  begin(mail: Mail, language: string | undefined): Promise<MailInCheck>;
  /** null: there is none (any more). */
  find(id: string): Promise<MailInCheck | null>;
  /** Notes a mail of a check that has come in. @returns whether it is one; it is from a machine, and our own */
  take(
    mail: Pick<ReadMail, 'recipients' | 'answered' | 'machine'>,
    envelope: { door: MailDoor; to: string[] },
  ): Promise<boolean>;
}

/** Creates them for one server. */
export function createMailChecks(addresses: ReplyAddresses, now: () => number): MailChecks {
  const [local = '', domain = ''] = addresses.plain.split('@');
  const referenceOf = (token: string) => `<check-${token}@${domain}>`;
  const tokenOfReference = (id: string) => id.toLowerCase().match(/^<check-([a-z2-7]{26})@/)?.[1] ?? [];
  const viewOf = ({ _id, startedAt, sent, plus, plain }: MailCheckDoc): MailInCheck => ({
    _id,
    startedAt: startedAt.toISOString(),
    isOver: [plus, plain].filter(Boolean).length >= sent || now() - startedAt.getTime() >= WAITED_MS,
    plus: plus ?? null,
    plain: plain ?? null,
  });
  return {
    async begin(mail, language) {
      const token = newToken();
      // Stored first: the mails may be back before the mail server has answered.
      await MailCheckModel.create({ _id: token, startedAt: new Date(now()), sent: 2 });
      const results = await Promise.allSettled([
        mail.sendNow(checkMail(`${local}+${token}@${domain}`, language)),
        mail.sendNow({ ...checkMail(addresses.plain, language), references: [referenceOf(token)] }),
      ]);
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      // Mail servers that know no plus addresses refuse them at once: this is what the check is for.
      if (failures.length === 2) throw mailFailure(failures[1]);
      const check = await MailCheckModel.findOneAndUpdate(
        { _id: token },
        { $set: { sent: 2 - failures.length } },
        { returnDocument: 'after' },
      )
        .orFail()
        .lean<MailCheckDoc>();
      return viewOf(check);
    },
    async find(id) {
      const check = await MailCheckModel.findById(id).lean<MailCheckDoc>();
      return check && viewOf(check);
    },
    async take({ recipients, answered, machine }, { door, to }) {
      // A report that a mail of the check could not be delivered names the same addresses.
      if (machine === 'report') return false;
      const named = answered.flatMap(tokenOfReference);
      const tokens = [...named, ...[...recipients, ...to].flatMap((address) => addresses.tokenIn(address) ?? [])];
      const check = tokens.length > 0 && (await MailCheckModel.findOne({ _id: { $in: tokens } }).lean<MailCheckDoc>());
      if (!check) return false;
      const part = named.includes(check._id) ? 'plain' : 'plus';
      const ms = now() - check.startedAt.getTime();
      await MailCheckModel.updateOne({ _id: check._id, [part]: null }, { $set: { [part]: { via: door, ms } } });
      return true;
    },
  };
}

/** Whether a token is that of a check: such an address takes mails, too. */
export async function isCheckToken(token: string): Promise<boolean> {
  return (await MailCheckModel.exists({ _id: token })) !== null;
}

const checkMail = (to: string, language: string | undefined): MailDraft => ({
  kind: 'test',
  to,
  language,
  subject: mailText('Parley checks whether answers by mail arrive'),
  text: [mailText('Parley sent this mail to itself. It can be deleted.')],
  footer: mailText('An administrator of this server started the check.'),
});
