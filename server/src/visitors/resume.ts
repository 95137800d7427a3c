import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { unauthorized } from '../http/errors.ts';
import type { SiteDoc } from '../sites/model.ts';
import { RESUME_PATH } from '../sites/origins.ts';
import { hashToken } from './access.ts';
import { DEVICES_MAX, type VisitorDoc, VisitorModel } from './model.ts';
import { newVisitorToken } from './session.ts';

/** How long a mailed link opens its chat, in days. */
export const RESUME_DAYS = 14;
const DAY_S = 86_400;
const ALGORITHM = 'HS256';

/** Links that open a visitor's chat on any device. */
export interface ResumeLinks {
  /** The address below `PUBLIC_URL`; its secret stands after `#`, which no server and no log sees. */
  pathFor(visitor: VisitorDoc): string;
  /**
   * A visitor token for the device that opened the link; the tokens of other devices stay good.
   * @throws AppError 401 for a link that has run out, is another site's, or whose visitor is gone
   */
  redeem(token: string, site: SiteDoc): Promise<string>;
}

/** @param secret signs the links, under a key of their own, so that no other token passes for one */
export function createResumeLinks({ secret, now }: { secret: string; now: () => number }): ResumeLinks {
  const key = createSecretKey(createHmac('sha256', secret).update('resume link').digest());
  const seconds = () => Math.floor(now() / 1000);
  return {
    pathFor({ _id, site }) {
      const claims = { sub: _id.toHexString(), exp: seconds() + RESUME_DAYS * DAY_S };
      return `${RESUME_PATH}${site}#${jwt.sign(claims, key, { algorithm: ALGORITHM, noTimestamp: true })}`;
    },
    async redeem(token, site) {
      const _id = subjectOf(token, key, seconds());
      const visitorToken = newVisitorToken();
      const devices = { $each: [hashToken(visitorToken)], $slice: -DEVICES_MAX };
      const found =
        _id &&
        (await VisitorModel.findOneAndUpdate(
          { _id, site: site._id, erasedAt: null },
          { $push: { linkHashes: devices } },
        ).lean<VisitorDoc>());
      if (!found) throw unauthorized('This link has run out. Please write to us again.', 'LINK_EXPIRED');
      return visitorToken;
    },
  };
}

/** Whose link it is; null: a forged one, or its time is over. */
function subjectOf(token: string, key: KeyObject, clockTimestamp: number): string | null {
  try {
    const claims = jwt.verify(token, key, { algorithms: [ALGORITHM], clockTimestamp });
    return typeof claims === 'object' && claims.sub !== undefined ? claims.sub : null;
  } catch {
    return null;
  }
}
