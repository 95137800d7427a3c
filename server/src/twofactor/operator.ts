import { accountOf } from '../auth/operator.ts';
import { switchOff } from './actions.ts';

/**
 * Switches the second step off for somebody who has lost phone and recovery codes, and says so.
 * @throws OperatorError for an unknown address
 */
export async function switchOffFor(email: string): Promise<string> {
  const { _id } = await accountOf(email);
  return (await switchOff(_id, 'operator'))
    ? `${email} signs in with the password alone now.`
    : `${email} has no two-factor authentication.`;
}
