/** All that the chat itself says; what the site says comes with its config. `{}` is where a name or a number goes. */
export interface Words {
  online: string;
  offline: string;
  /** Of how long an answer usually takes. */
  usually: string;
  talkingWith: string;
  typing: string;
  closeChat: string;
  menu: string;
  unread: string;
  conversation: string;
  reconnecting: string;
  latest: string;
  write: string;
  send: string;
  emoji: string;
  attach: string;
  tooLong: string;
  blocked: string;
  expired: string;
  closed: string;
  today: string;
  yesterday: string;
  sending: string;
  late: string;
  sent: string;
  delivered: string;
  read: string;
  failed: string;
  retry: string;
  remove: string;
}

const english: Words = {
  online: 'We are online',
  offline: 'We are offline right now',
  usually: 'Usually replies in {}',
  talkingWith: 'You are talking with {}',
  typing: '{} is typing…',
  closeChat: 'Close chat',
  menu: 'More',
  unread: '{} unread',
  conversation: 'Conversation',
  reconnecting: 'Reconnecting…',
  latest: 'New messages',
  write: 'Write a message…',
  send: 'Send',
  emoji: 'Emoji',
  attach: 'Attach a file',
  tooLong: '{} characters too many',
  blocked: 'You cannot send messages here any more.',
  expired: 'It could not be delivered within a day.',
  closed: 'This conversation has ended. Write again to start a new one.',
  today: 'Today',
  yesterday: 'Yesterday',
  sending: 'Sending',
  late: 'Not sent yet, retrying',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Not sent',
  retry: 'Retry',
  remove: 'Delete',
};

/** What the chat says now: English unless another language was put in. */
export let words = english;

/** Speaks another language from now on. */
export function useWords(other: Words = english): void {
  words = other;
}

/** Puts a name or a number in its place. */
export function fill(text: string, value: string | number): string {
  return text.replace('{}', () => `${value}`);
}
