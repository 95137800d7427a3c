import { expect, test } from 'vitest';
import { SmtpError } from './transport.ts';

const statusOf = (response: string, command = 'RCPT TO') =>
  new SmtpError({ code: 'EENVELOPE', responseCode: Number(response.slice(0, 3)), command, response }).recipientStatus;

test.each([
  ['550 5.1.1 <x@example.com>: Recipient address rejected: User unknown', '5.1.1'],
  ['550-5.1.1 The email account that you tried to reach does not exist.', '5.1.1'],
  ['556 5.1.10 <x@example.com> domain does not accept mail (nullMX)', '5.1.10'],
  ['550 5.2.1 The account is disabled', '5.2.1'],
  ['550 No such user here', '5.1.1'],
  ['551 User not local', '5.1.6'],
  ['553 Mailbox name not allowed', '5.1.3'],
])('%s is about the address', (response, status) => {
  expect(statusOf(response)).toBe(status);
});

test.each([
  '550 5.7.1 Relaying denied',
  '550 5.1.8 Sender address rejected: Domain not found',
  '550 relay not permitted',
  '554 5.7.1 Service unavailable; client host blocked',
  '552 5.2.2 Mailbox full',
  '450 4.1.1 Try again later',
  '550',
])('%s is not, or may pass', (response) => {
  expect(statusOf(response, response === '550' ? 'MAIL FROM' : 'RCPT TO')).toBeNull();
});

test('what a server says of the text is not about the address', () => {
  expect(statusOf('550 5.1.1 Message rejected as unwanted', 'DATA')).toBeNull();
});
